/** Replaces a damaged database with a verified copy. The previous files are moved to another folder, never deleted. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DavitError } from '@davit/api';
import { makeFolder, renameDurably, syncFolder } from '@davit/service/durable-files';
import { isWalDamaged } from '@davit/service/wal';
import { ID, markedId } from '../config/instance-id.ts';
import { KEY_CHECK, sealerFor } from '../config/master-key.ts';
import { checkDatabase } from '../db/check.ts';
import { describeChange } from '../db/macs/find-changed.ts';
import { changedRowsOf, mergeLog, readFacts } from '../db/recovery/facts.ts';
import type { StateFiles } from './verify.ts';

export interface RestoreOptions {
  /** Whether the operator accepts rows that were changed outside of Davit. */
  acceptsRows: boolean;
  signal: AbortSignal;
}

/** Files that SQLite may create for a database. */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/**
 * Checks that a received copy can replace the database. Merges the write-ahead log of the copy into the copy.
 * @throws DavitError conflict if the copy is damaged, has another master key, or belongs to another instance
 */
export async function demandUsable(copy: string, files: StateFiles, options: RestoreOptions): Promise<void> {
  const { signal, acceptsRows } = options;
  if (isWalDamaged(`${copy}-wal`)) throw refused('its write-ahead log is damaged');
  if (readFacts(copy) === null) throw refused('it is not an intact database of Davit');
  mergeLog(copy);
  const [finding] = await checkDatabase(copy, signal);
  const facts = readFacts(copy);
  const check = facts?.settings.get(KEY_CHECK);
  if (finding !== undefined || facts === null || check === undefined) throw refused('it is damaged');
  if (!facts.hasKnownSchema) throw refused('a newer version of Davit wrote it');
  const marked = markedId(files.dataDir);
  if (marked !== null && facts.settings.get(ID) !== marked)
    throw refused(`it belongs to the instance ${facts.settings.get(ID)}, and this is the instance ${marked}`);
  const sealer = existsSync(files.masterKeyFile) ? sealerFor(files.masterKeyFile, check) : null;
  if (sealer === null) throw refused(`its secrets are encrypted with another master key than ${files.masterKeyFile}`);
  const [changed] = acceptsRows ? [] : await changedRowsOf(copy, sealer.rowMacKey, signal);
  if (changed !== undefined) throw refused(describeChange(changed));
}

function refused(why: string): DavitError {
  return new DavitError('conflict', `The copy was not restored, because ${why}. Nothing was changed.`);
}

/**
 * Moves the files of the database to a new folder, and renames the copy to the database. If the process is killed
 * meanwhile, the database is missing, so the next start enters safe mode again.
 * @returns the folder with the previous files
 */
export async function replaceDatabase(copy: string, dataDir: string, now: Date): Promise<string> {
  const folder = join(dataDir, 'damaged', now.toISOString().replaceAll(/[:.]/g, '-'));
  const database = join(dataDir, 'davit.db');
  await makeFolder(folder, 0o700);
  /*
   * The database file is moved first. Without its write-ahead log, it could look intact to a later start, although
   * changes are missing.
   */
  for (const suffix of SUFFIXES) {
    const file = `${database}${suffix}`;
    if (existsSync(file)) await renameDurably(file, join(folder, `davit.db${suffix}`));
  }
  await syncFolder(dataDir);
  await renameDurably(copy, database);
  return folder;
}

/** Removes a copy that was not used, with the files that SQLite created for it. */
export async function removeCopy(copy: string): Promise<void> {
  for (const suffix of SUFFIXES) await rm(`${copy}${suffix}`, { force: true });
}
