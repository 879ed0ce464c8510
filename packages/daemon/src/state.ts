import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from '@davit/service';
import type { Config } from './config/config.ts';
import { openSealer } from './config/master-key.ts';
import { beginAudit } from './store/audit.ts';
import type { Sealer } from './store/seal.ts';
import { readSetting, writeSetting } from './store/settings.ts';
import { Store } from './store/store.ts';
import { hasUsers } from './store/user.ts';

/** What a data directory holds, opened for this process alone. */
export interface State extends Disposable {
  /** The permanent id of this Davit, in everything it makes. */
  id: string;
  store: Store;
  sealer: Sealer;
  /** The directory was empty before. */
  firstRun: boolean;
}

const ID = 'id';
const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 8;

/**
 * Opens a data directory, making it at the first start.
 * @throws DataDirTaken, DatabaseUnusable, MasterKeyUnusable
 */
export function openState(config: Pick<Config, 'dataDir' | 'masterKeyFile'>, now?: () => number): State {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  using cleanup = new DisposableStack();
  cleanup.use(lockDataDir(config.dataDir, 'Davit'));
  const store = cleanup.use(new Store(join(config.dataDir, 'davit.db'), now));
  const sealer = openSealer(config.masterKeyFile, store);
  store.tx((tx) => beginAudit(tx, sealer, !hasUsers(tx)));
  const known = readSetting(store, ID);
  const id = known ?? newId();
  if (known === undefined) store.tx((tx) => writeSetting(tx, ID, id));
  const opened = cleanup.move();
  return { id, store, sealer, firstRun: known === undefined, [Symbol.dispose]: () => opened.dispose() };
}

function newId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join('');
}
