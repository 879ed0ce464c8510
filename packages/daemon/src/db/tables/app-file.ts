import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const FILE = selectFrom('app_files', 'version, bytes, content');

/** One version of an app's configuration file. The content is encrypted. */
export type AppFileRow = Row<typeof FILE>;

export function appFile(db: Reader, appId: number, version: string): AppFileRow | undefined {
  return db.get(FILE.from('app_files WHERE app_id = ? AND version = ?'), appId, version);
}

const CONTENT = selectFrom('app_files', 'app_id, version, content');

/** Returns versions of files of several apps with one query. Omits versions that do not exist. */
export function appFiles(db: Reader, wanted: readonly { appId: number; version: string }[]): Row<typeof CONTENT>[] {
  return db.all(
    CONTENT.from('app_files JOIN json_each(?) w ON app_id = w.value ->> 0 AND version = w.value ->> 1'),
    JSON.stringify(wanted.map(({ appId, version }) => [appId, version])),
  );
}

export function insertAppFile(tx: Tx, appId: number, { version, bytes, content }: AppFileRow): void {
  insert(tx, 'app_files', { app_id: appId, version, bytes, content });
}

export function deleteFilesOfApp(tx: Tx, appId: number): void {
  tx.run('DELETE FROM app_files WHERE app_id = ?', appId);
}
