import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseUnusable, lockDataDir } from '@davit/service';
import { syncPathSync, writeDurablySync } from '@davit/service/durable-files';
import type { Config } from '../config/config.ts';
import { prepareDataDir } from '../config/data-folder.ts';
import { fileBytes, ID, MARK } from '../config/instance-id.ts';
import { openSealer } from '../config/master-key.ts';
import { REPAIR } from '../db/damage.ts';
import { describeChange, type RowFinding } from '../db/macs/find-changed.ts';
import { protectRows } from '../db/macs/protect-rows.ts';
import type { Sealer } from '../db/seal.ts';
import { Store } from '../db/store.ts';
import { beginAudit } from '../db/tables/audit.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';
import { hasPlainManifests, sealPlainManifests } from '../db/tables/template-install.ts';
import { hasUsers } from '../db/tables/user.ts';
import { sealManifest } from '../resources/templates/install/record.ts';

/** Data directory that this daemon process has opened and locked. Includes the database and the keys. */
export interface State extends Disposable {
  /** Permanent id of the instance, which is part of the names of all its Docker containers, volumes and networks. */
  id: string;
  store: Store;
  sealer: Sealer;
  /** `true` if the data directory was new. */
  firstRun: boolean;
}

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 8;

export interface OpenOptions {
  now?: () => number;
  /** Whether the operator accepts rows that were changed outside of Davit. Default: `false`. */
  acceptsRows?: boolean;
}

/**
 * Opens a data directory, or creates it at the first start.
 * @throws DataDirTaken, DatabaseUnusable, MasterKeyUnusable
 */
export function openState(
  config: Pick<Config, 'dataDir' | 'masterKeyFile'>,
  { now, acceptsRows = false }: OpenOptions = {},
): State {
  prepareDataDir(config.dataDir);
  using cleanup = new DisposableStack();
  cleanup.use(lockDataDir(config.dataDir, 'Davit'));
  const database = join(config.dataDir, 'davit.db');
  if (fileBytes(database) === 0) beginDatabase(config.dataDir, database);
  const store = cleanup.use(new Store(database, now));
  const sealer = openSealer(config.masterKeyFile, store);
  demandUnchanged(protectRows(store, sealer.rowMacKey, acceptsRows), database);
  store.tx((tx) => beginAudit(tx, sealer, !hasUsers(tx)));
  if (hasPlainManifests(store))
    store.tx((tx) => sealPlainManifests(tx, (id, manifest) => sealManifest({ sealer }, id, manifest)));
  const known = readSetting(store, ID);
  const id = known ?? newId();
  if (known === undefined) store.tx((tx) => writeSetting(tx, ID, id));
  const mark = join(config.dataDir, MARK);
  if (fileBytes(mark) === 0) writeDurablySync(mark, `${id}\n`);
  const opened = cleanup.move();
  return { id, store, sealer, firstRun: known === undefined, [Symbol.dispose]: () => opened.dispose() };
}

/** @throws DatabaseUnusable if a protected row was changed outside of Davit */
function demandUnchanged([first]: readonly RowFinding[], database: string): void {
  if (first === undefined) return;
  throw new DatabaseUnusable('damaged', `The database ${database} is damaged: ${describeChange(first)}. ${REPAIR}`);
}

/**
 * Checks that Davit may create a new SQLite database in the data directory.
 * @throws DatabaseUnusable if the data directory had a database before
 */
function beginDatabase(dataDir: string, database: string): void {
  if (fileBytes(join(dataDir, MARK)) > 0 || fileBytes(`${database}-wal`) > 0) {
    const message = `The database ${database} is missing or empty. ${REPAIR} To create a new instance, use another data directory.`;
    throw new DatabaseUnusable('missing', message);
  }
  // The new directory is written to disk with `fsync`. Otherwise, it could be missing after a power failure.
  syncPathSync(dataDir);
}

function newId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join('');
}
