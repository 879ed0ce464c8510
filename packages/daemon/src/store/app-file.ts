import type { Reader, Tx } from './store.ts';

/** What a file of an app holds, as one of its revisions has it. */
export interface AppFileRow {
  version: string;
  /** Of what it holds, opened. */
  bytes: number;
  /** Sealed. */
  content: string;
}

export function appFile(db: Reader, appId: number, version: string): AppFileRow | undefined {
  return db.get('SELECT version, bytes, content FROM app_files WHERE app_id = ? AND version = ?', appId, version);
}

export function insertAppFile(tx: Tx, appId: number, { version, bytes, content }: AppFileRow): void {
  tx.run('INSERT INTO app_files (app_id, version, bytes, content) VALUES (?, ?, ?, ?)', appId, version, bytes, content);
}

/** When the app is deleted, with its other secrets. */
export function deleteFilesOfApp(tx: Tx, appId: number): void {
  tx.run('DELETE FROM app_files WHERE app_id = ?', appId);
}
