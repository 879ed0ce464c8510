/** Copy of the master key in the data directory. Only the recovery key, which the operator keeps, can decrypt it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '@davit/service/durable-files';
import { unwrapKey, type WrappedKey } from '../db/key-wrap.ts';
import type { Sealer } from '../db/seal.ts';

export const RECOVERY_FILE = 'master.key.recovery';

interface RecoveryCopy {
  version: 1;
  /** Id of the instance, which is part of the authenticated data. */
  instance: string;
  key: WrappedKey;
  /** HMAC with the master key. It shows that the copy contains the current master key and was not replaced. */
  mac: string;
}

const contextOf = (instance: string) => `master key of ${instance}`;

/** Returns the copy of the master key, or `null` if the file is missing or malformed. */
export function readRecoveryCopy(dataDir: string): RecoveryCopy | null {
  try {
    const copy = JSON.parse(readFileSync(join(dataDir, RECOVERY_FILE), 'utf8')) as RecoveryCopy;
    return copy.version === 1 && typeof copy.key?.sealed === 'string' ? copy : null;
  } catch {
    // Without a readable file, there is no recovery key, which the caller reports.
    return null;
  }
}

/**
 * Encrypts the master key for a new recovery key. An earlier recovery key stops working.
 * @param recipient public part of the recovery key, base64url
 */
export async function writeRecoveryCopy(
  { dataDir, id }: { dataDir: string; id: string },
  sealer: Sealer,
  recipient: string,
): Promise<void> {
  const key = sealer.wrapFor(recipient, contextOf(id));
  const copy: RecoveryCopy = { version: 1, instance: id, key, mac: macOf(sealer, id, key) };
  await writeDurably(join(dataDir, RECOVERY_FILE), `${JSON.stringify(copy)}\n`);
}

/** Returns whether the copy contains the current master key of the instance. */
export function isCurrentCopy(copy: RecoveryCopy | null, sealer: Sealer, id: string): boolean {
  return copy !== null && copy.mac === macOf(sealer, id, copy.key);
}

/**
 * Decrypts the master key.
 * @param secret recovery key, 32 bytes
 * @throws Error if the recovery key does not match
 */
export function openRecoveryCopy({ instance, key }: RecoveryCopy, secret: Uint8Array): Buffer {
  return unwrapKey(key, secret, contextOf(instance));
}

function macOf(sealer: Sealer, id: string, { recipient, ephemeral, nonce, sealed }: WrappedKey): string {
  return sealer.mac([recipient, ephemeral, nonce, sealed].join('.'), `recovery copy of ${id}`);
}
