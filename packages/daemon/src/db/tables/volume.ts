import { columnsOf, pick, type Row, required, select } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const COLUMNS = pick(columnsOf('volumes'), 'id, app_id, project_id, app, path, name, state, created_at, expires_at');
const VOLUME = select(COLUMNS);

/** A named volume that this instance knows of, whether or not the engine has made it yet. */
const USED = select({ ...COLUMNS, app_id: required(COLUMNS.app_id) });

export type VolumeRow = Row<typeof VOLUME>;

/** One that an app has. */
export type AppVolumeRow = Row<typeof USED>;

/** Those that an app has, by path. */
export function volumesOfApp(db: Reader, appId: number): AppVolumeRow[] {
  return db.all(USED.from(`volumes WHERE app_id = ? AND state = 'used' ORDER BY path`), appId);
}

/** Those that apps have, by path. */
export function allVolumes(db: Reader): AppVolumeRow[] {
  return db.all(USED.from(`volumes WHERE state = 'used' ORDER BY path`));
}

/** Those of the projects with these ids, whoever has them, or all of them for null. */
export function listVolumes(db: Reader, projectIds: readonly number[] | null): VolumeRow[] {
  return db.all(
    VOLUME.from('volumes WHERE ?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))'),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

export function volumeById(db: Reader, id: number): VolumeRow | undefined {
  return db.get(VOLUME.from('volumes WHERE id = ?'), id);
}

export function volumeByName(db: Reader, name: string): VolumeRow | undefined {
  return db.get(VOLUME.from('volumes WHERE name = ?'), name);
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
  const id = insert(tx, 'volumes', { app_id: appId, project_id: projectId, app, path, name: '', created_at: at });
  update(tx, 'volumes', id, { name: nameOf(id) });
  tellOf(tx, { app_id: appId, project_id: projectId }, 'added', path);
  return id;
}

/** Records a volume that the engine has already, as one that no app has. Where a container found it is not known. */
export function insertKeptVolume(
  tx: Tx,
  volume: Pick<VolumeRow, 'project_id' | 'app' | 'name' | 'created_at'>,
): number {
  const id = insert(tx, 'volumes', {
    app_id: null,
    project_id: volume.project_id,
    app: volume.app,
    path: '',
    name: volume.name,
    state: 'kept',
    created_at: volume.created_at,
  });
  tellOf(tx, { app_id: null, project_id: volume.project_id }, 'kept', '');
  return id;
}

/** Gives an app a volume that no app has. */
export function attachVolume(tx: Tx, id: number, to: Omit<NewVolume, 'at'>): void {
  update(tx, 'volumes', id, {
    app_id: to.appId,
    project_id: to.projectId,
    app: to.app,
    path: to.path,
    state: 'used',
    expires_at: null,
  });
  tellOf(tx, { app_id: to.appId, project_id: to.projectId }, 'added', to.path);
}

export function trashVolume(tx: Tx, row: VolumeRow, expiresAt: number): void {
  update(tx, 'volumes', row.id, { state: 'trash', expires_at: expiresAt });
  tellOf(tx, row, 'removed', row.path);
}

/** Out of the trash, to no app. */
export function keepVolume(tx: Tx, row: VolumeRow): void {
  update(tx, 'volumes', row.id, { state: 'kept', expires_at: null });
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
  return db.all(VOLUME.from(`volumes WHERE state = 'trash' AND expires_at <= ? ORDER BY expires_at`), at);
}

/** Told to those who see the project, also when the app is gone. */
function tellOf(
  tx: Tx,
  of: Pick<VolumeRow, 'app_id' | 'project_id'>,
  what: 'added' | 'removed' | 'kept' | 'gone',
  path: string,
): void {
  const { app_id: appId, project_id: projectId } = of;
  const detail: { [K in typeof what]?: string } = { [what]: path };
  tx.event({ kind: 'app', projectId, ...(appId !== null && { appId }), data: { change: 'volumes', ...detail } });
}
