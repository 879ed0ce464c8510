import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createDurablySync } from '@davit/service/durable-files';
import { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';

/** Error for a master key that is missing, malformed, or not the key that encrypted the stored secrets. */
export class MasterKeyUnusable extends Error {
  override name = 'MasterKeyUnusable';
}

/** Setting with a text that the master key of the instance has encrypted. */
export const KEY_CHECK = 'master_key_check';

/**
 * Reads the master key file. The first start creates this file.
 * @throws MasterKeyUnusable if the key is missing, malformed, or not the key of the stored secrets
 */
export function openSealer(file: string, store: Store): Sealer {
  const check = readSetting(store, KEY_CHECK);
  if (!existsSync(file)) {
    if (check !== undefined)
      throw new MasterKeyUnusable(
        `The master key ${file} is missing, so the instance cannot start (apps and the proxy continue to run). Restore the file from your copy.`,
      );
    // The key file must be on disk before the first secret is encrypted. Otherwise, a power failure could lose the key.
    createDurablySync(file, `${randomBytes(32).toString('base64')}\n`);
  }
  const sealer = new Sealer(parseKey(file));
  if (check === undefined) store.tx((tx) => writeSetting(tx, KEY_CHECK, sealer.seal('davit', KEY_CHECK)));
  else if (!opens(sealer, check))
    throw new MasterKeyUnusable(
      `The secrets of this instance are encrypted with another master key than ${file}, so the instance cannot start (apps and the proxy continue to run). Restore the original file.`,
    );
  return sealer;
}

/**
 * Returns whether a master key is the key that encrypted a stored value.
 * @param check value of the setting `KEY_CHECK`
 */
export function isMasterKey(key: Buffer, check: string): boolean {
  return key.length === 32 && opens(new Sealer(key), check);
}

/**
 * Returns the encryption with the key in the master key file. Returns `null` if another key encrypted a stored value.
 * @param check value of the setting `KEY_CHECK`
 * @throws MasterKeyUnusable if the file does not contain a key
 */
export function sealerFor(file: string, check: string): Sealer | null {
  const sealer = new Sealer(parseKey(file));
  return opens(sealer, check) ? sealer : null;
}

function parseKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new MasterKeyUnusable(
      `The master key ${file} does not contain 32 bytes in base64. Restore the file from your copy.`,
    );
  return key;
}

function opens(sealer: Sealer, check: string): boolean {
  try {
    return sealer.open(check, KEY_CHECK) === 'davit';
  } catch {
    // The decryption fails if another master key encrypted the stored secrets.
    return false;
  }
}
