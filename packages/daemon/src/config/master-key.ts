import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createDurablySync } from '@davit/service/durable-files';
import { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';

/** The secrets of this data directory cannot be decrypted. The message says which key file is needed. */
export class MasterKeyUnusable extends Error {
  override name = 'MasterKeyUnusable';
}

const CHECK = 'master_key_check';

/**
 * Reads the master key, or creates it at the very first start. A missing or different key later makes the start fail.
 * Otherwise, new secrets would be encrypted with a key that cannot decrypt the old secrets.
 * @throws MasterKeyUnusable if the key is missing, malformed or different
 */
export function openSealer(file: string, store: Store): Sealer {
  const check = readSetting(store, CHECK);
  if (!existsSync(file)) {
    if (check !== undefined)
      throw new MasterKeyUnusable(
        `The master key ${file} is missing, so the daemon cannot start (apps and the proxy continue to run). Restore the file from its copy.`,
      );
    // The key must be on the disk before a value is encrypted with it.
    createDurablySync(file, `${randomBytes(32).toString('base64')}\n`);
  }
  const sealer = new Sealer(parseKey(file));
  if (check === undefined) store.tx((tx) => writeSetting(tx, CHECK, sealer.seal('davit', CHECK)));
  else if (!opens(sealer, check))
    throw new MasterKeyUnusable(
      `The secrets of this instance are encrypted with another master key than ${file}, so the daemon cannot start (apps and the proxy continue to run). Restore the original file.`,
    );
  return sealer;
}

function parseKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new MasterKeyUnusable(
      `The master key ${file} does not contain 32 bytes in base64. Restore the file from its copy.`,
    );
  return key;
}

function opens(sealer: Sealer, check: string): boolean {
  try {
    return sealer.open(check, CHECK) === 'davit';
  } catch {
    // Every failure to decrypt means that the key is a different one.
    return false;
  }
}
