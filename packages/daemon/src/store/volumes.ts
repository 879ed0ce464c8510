import type { Reader } from './store.ts';

export interface VolumeRow {
  id: number;
  app_id: number;
  path: string;
  /** The engine's name of it. */
  name: string;
}

const COLUMNS = 'id, app_id, path, name';

/** By path. */
export function volumesOfApp(db: Reader, appId: number): VolumeRow[] {
  return db.all(`SELECT ${COLUMNS} FROM volumes WHERE app_id = ? ORDER BY path`, appId);
}

/** By path. */
export function allVolumes(db: Reader): VolumeRow[] {
  return db.all(`SELECT ${COLUMNS} FROM volumes ORDER BY path`);
}

/** Volumes and published ports cannot be held by two releases at once. */
export function isExclusive(db: Reader, appId: number): boolean {
  const sql = 'SELECT 1 FROM volumes WHERE app_id = ?1 UNION ALL SELECT 1 FROM tcp_ports WHERE app_id = ?1 LIMIT 1';
  return db.get(sql, appId) !== undefined;
}
