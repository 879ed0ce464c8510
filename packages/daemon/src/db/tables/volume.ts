import { columnsOf, pick, type Row, required, select } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const COLUMNS = pick(
  columnsOf('volumes'),
  'id, app_id, project_id, app, path, name, state, created_at, expires_at, install_id',
);
const VOLUME = select(COLUMNS);

/** A named volume of this instance. The engine may not have created it yet. */
const USED = select({ ...COLUMNS, app_id: required(COLUMNS.app_id) });

export type VolumeRow = Row<typeof VOLUME>;

/** A volume that an app uses. */
export type AppVolumeRow = Row<typeof USED>;

/** Returns the volumes that an app uses, by path. */
export function volumesOfApp(db: Reader, appId: number): AppVolumeRow[] {
  return db.all(USED.from(`volumes WHERE app_id = ? AND state = 'used' ORDER BY path`), appId);
}

/** Returns the volumes that any app uses, by path. */
export function allVolumes(db: Reader): AppVolumeRow[] {
  return db.all(USED.from(`volumes WHERE state = 'used' ORDER BY path`));
}

/** Returns the volumes of the given projects in all states, or all volumes if `projectIds` is `null`. */
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

/**
 * Inserts a volume.
 * @param nameOf returns the name at the engine for the number of the volume
 */
export function insertVolume(tx: Tx, volume: NewVolume, nameOf: (id: number) => string): number {
  const { appId, projectId, app, path, at } = volume;
  const id = insert(tx, 'volumes', { app_id: appId, project_id: projectId, app, path, name: '', created_at: at });
  update(tx, 'volumes', id, { name: nameOf(id) });
  tellOf(tx, { app_id: appId, project_id: projectId }, 'added', path);
  return id;
}

/**
 * Records a volume that already exists at the engine, as a volume without an app. The path in its former container is
 * unknown.
 */
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

/** Attaches a volume without an app to an app. The volume does not belong to its former installation any more. */
export function attachVolume(tx: Tx, id: number, to: Omit<NewVolume, 'at'>): void {
  update(tx, 'volumes', id, {
    app_id: to.appId,
    project_id: to.projectId,
    app: to.app,
    path: to.path,
    state: 'used',
    expires_at: null,
    install_id: null,
  });
  tellOf(tx, { app_id: to.appId, project_id: to.projectId }, 'added', to.path);
}

export function trashVolume(tx: Tx, row: VolumeRow, expiresAt: number): void {
  update(tx, 'volumes', row.id, { state: 'trash', expires_at: expiresAt });
  tellOf(tx, row, 'removed', row.path);
}

/** Restores a volume from the trash, without an app. */
export function keepVolume(tx: Tx, row: VolumeRow): void {
  update(tx, 'volumes', row.id, { state: 'kept', expires_at: null });
  tellOf(tx, row, 'kept', row.path);
}

/** Records that the volumes of an app belong to an installation. */
export function noteInstallOfVolumes(tx: Tx, appId: number, installId: number): void {
  tx.run('UPDATE volumes SET install_id = ? WHERE app_id = ?', installId, appId);
}

/** Owner of a volume before an app adopted it. */
export type FormerOwner = Pick<VolumeRow, 'app_id' | 'project_id' | 'install_id'>;

/** Undoes an adoption: the volume is kept again, with its former owner. The former app may not exist any more. */
export function giveBackVolume(tx: Tx, row: VolumeRow, former: FormerOwner): void {
  tx.run(
    `UPDATE volumes SET state = 'kept', expires_at = NULL, app_id = (SELECT id FROM apps WHERE id = ?),
       project_id = ?, install_id = ? WHERE id = ?`,
    former.app_id,
    former.project_id,
    former.install_id,
    row.id,
  );
  tellOf(tx, row, 'kept', row.path);
}

/** Keeps the volumes of a deleted app. Volumes in the trash stay there. */
export function keepVolumesOfApp(tx: Tx, appId: number): void {
  tx.run("UPDATE volumes SET state = 'kept' WHERE app_id = ? AND state = 'used'", appId);
}

/** Deletes the row of a volume whose data has been deleted. */
export function forgetVolume(tx: Tx, row: VolumeRow): void {
  tx.run('DELETE FROM volumes WHERE id = ?', row.id);
  tellOf(tx, row, 'gone', row.path);
}

/** Returns the volumes in the trash whose retention time has ended, longest ended first. */
export function expiredVolumes(db: Reader, at: number): VolumeRow[] {
  return db.all(VOLUME.from(`volumes WHERE state = 'trash' AND expires_at <= ? ORDER BY expires_at`), at);
}

/** Publishes a change to users who see the project, even if the app no longer exists. */
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
