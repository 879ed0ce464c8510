import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const FILE = selectFrom('app_files', 'version, bytes, content');

/** One version of an app's configuration file. The content is encrypted. */
export type AppFileRow = Row<typeof FILE>;

export function appFile(db: Reader, appId: number, version: string): AppFileRow | undefined {
  return db.get(FILE.from('app_files WHERE app_id = ? AND version = ?'), appId, version);
}

export function insertAppFile(tx: Tx, appId: number, { version, bytes, content }: AppFileRow): void {
  insert(tx, 'app_files', { app_id: appId, version, bytes, content });
}

export function deleteFilesOfApp(tx: Tx, appId: number): void {
  tx.run('DELETE FROM app_files WHERE app_id = ?', appId);
}
