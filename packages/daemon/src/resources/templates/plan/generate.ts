import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { ManifestInput } from '@davit/template';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Returns whether Davit generates a secret for an empty input. This is the case if the template defines the length or
 * format of the secret.
 */
export function isGenerated({ type, generate, format }: ManifestInput): boolean {
  return type === 'secret' && (generate !== undefined || format !== undefined);
}

/** Returns a random secret in the format that the template defines for the input. */
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
