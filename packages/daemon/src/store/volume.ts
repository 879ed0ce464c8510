import type { VolumeState } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** A named volume that this instance knows of, whether or not the engine has made it yet. */
export interface VolumeRow {
  id: number;
  /** The app that has it; of a kept or deleted one the app that had it, until nothing of that is left. */
  app_id: number | null;
  /** In which it is seen, also when the app is gone. */
  project_id: number;
  /** The app's reference. */
  app: string;
  path: string;
  /** The engine's name of it. */
  name: string;
  state: VolumeState;
  created_at: number;
  /** When it is removed for good; null outside the trash. */
  expires_at: number | null;
}

/** One that an app has. */
export type AppVolumeRow = VolumeRow & { app_id: number };

const COLUMNS = 'id, app_id, project_id, app, path, name, state, created_at, expires_at';

/** Those that an app has, by path. */
export function volumesOfApp(db: Reader, appId: number): AppVolumeRow[] {
  return db.all(`SELECT ${COLUMNS} FROM volumes WHERE app_id = ? AND state = 'used' ORDER BY path`, appId);
}

/** Those that apps have, by path. */
export function allVolumes(db: Reader): AppVolumeRow[] {
  return db.all(`SELECT ${COLUMNS} FROM volumes WHERE state = 'used' ORDER BY path`);
}

/** Those of the projects with these ids, whoever has them, or all of them for null. */
export function listVolumes(db: Reader, projectIds: readonly number[] | null): VolumeRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM volumes WHERE ?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))`,
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

export function volumeById(db: Reader, id: number): VolumeRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM volumes WHERE id = ?`, id);
}

export function volumeByName(db: Reader, name: string): VolumeRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM volumes WHERE name = ?`, name);
}

export interface NewVolume {
  appId: number;
  projectId: number;
  app: string;
  path: string;
  at: number;
}

/** @param nameOf the engine's name for a volume of this number */
export function insertVolume(tx: Tx, volume: NewVolume, nameOf: (id: number) => string): number {
  const { appId, projectId, app, path, at } = volume;
  const { id } = tx.run(
    "INSERT INTO volumes (app_id, project_id, app, path, name, created_at) VALUES (?, ?, ?, ?, '', ?)",
    appId,
    projectId,
    app,
    path,
    at,
  );
  tx.run('UPDATE volumes SET name = ? WHERE id = ?', nameOf(id), id);
  tellOf(tx, { app_id: appId, project_id: projectId }, 'added', path);
  return id;
}

/** Gives an app a volume that no app has. */
export function attachVolume(tx: Tx, id: number, to: Omit<NewVolume, 'at'>): void {
  tx.run(
    "UPDATE volumes SET app_id = ?, project_id = ?, app = ?, path = ?, state = 'used', expires_at = NULL WHERE id = ?",
    to.appId,
    to.projectId,
    to.app,
    to.path,
    id,
  );
  tellOf(tx, { app_id: to.appId, project_id: to.projectId }, 'added', to.path);
}

export function trashVolume(tx: Tx, row: VolumeRow, expiresAt: number): void {
  tx.run("UPDATE volumes SET state = 'trash', expires_at = ? WHERE id = ?", expiresAt, row.id);
  tellOf(tx, row, 'removed', row.path);
}

/** Out of the trash, to no app. */
export function keepVolume(tx: Tx, row: VolumeRow): void {
  tx.run("UPDATE volumes SET state = 'kept', expires_at = NULL WHERE id = ?", row.id);
  tellOf(tx, row, 'kept', row.path);
}

/** What a deleted app had is kept, and in the trash what was there. */
export function keepVolumesOfApp(tx: Tx, appId: number): void {
  tx.run("UPDATE volumes SET state = 'kept' WHERE app_id = ? AND state = 'used'", appId);
}

/** For one whose data is gone. */
export function forgetVolume(tx: Tx, row: VolumeRow): void {
  tx.run('DELETE FROM volumes WHERE id = ?', row.id);
  tellOf(tx, row, 'gone', row.path);
}

/** Those in the trash whose time is over, the longest over first. */
export function expiredVolumes(db: Reader, at: number): VolumeRow[] {
  return db.all(`SELECT ${COLUMNS} FROM volumes WHERE state = 'trash' AND expires_at <= ? ORDER BY expires_at`, at);
}

/** Told to those who see the project, also when the app is gone. */
function tellOf(tx: Tx, of: Pick<VolumeRow, 'app_id' | 'project_id'>, what: string, path: string): void {
  const { app_id: appId, project_id: projectId } = of;
  tx.event({ kind: 'app', projectId, ...(appId !== null && { appId }), data: { change: 'volumes', [what]: path } });
}
