import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { ManifestInput } from '@davit/template';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Whether a secret is made up where it is not answered. */
export function isGenerated({ type, generate, format }: ManifestInput): boolean {
  return type === 'secret' && (generate !== undefined || format !== undefined);
}

/** A secret as the template wants it written. */
export function generateSecret({ generate = 32, format, bytes = 32 }: ManifestInput): string {
  switch (format) {
    case 'hex':
    case 'base64':
    case 'base64url':
      return randomBytes(bytes).toString(format);
    case 'uuid':
      return randomUUID();
    default:
      return Array.from({ length: generate }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  }
}
