import { columnsOf, pick, type Row, required, select } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const COLUMNS = pick(
  columnsOf('volumes'),
  'id, app_id, project_id, app, path, name, state, created_at, expires_at, install_id',
);
const VOLUME = select(COLUMNS);

const USED = select({ ...COLUMNS, app_id: required(COLUMNS.app_id) });

export type VolumeRow = Row<typeof VOLUME>;

/** Volume that an app uses. */
export type AppVolumeRow = Row<typeof USED>;

/** Returns the volumes that an app uses, sorted by path. */
export function volumesOfApp(db: Reader, appId: number): AppVolumeRow[] {
  return db.all(USED.from(`volumes WHERE app_id = ? AND state = 'used' ORDER BY path`), appId);
}

/** Returns the volumes that any app uses, sorted by path. */
export function allVolumes(db: Reader): AppVolumeRow[] {
  return db.all(USED.from(`volumes WHERE state = 'used' ORDER BY path`));
}

/**
 * Returns the volumes of projects, including detached volumes and volumes in the trash.
 * @param projectIds ids of the projects, or `null` for all projects
 */
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
 * Inserts a volume of an app and publishes an event.
 * @param nameOf returns the name of the Docker volume. The argument is the id of the new row.
 * @returns the id of the volume
 */
export function insertVolume(tx: Tx, volume: NewVolume, nameOf: (id: number) => string): number {
  const { appId, projectId, app, path, at } = volume;
  const id = insert(tx, 'volumes', { app_id: appId, project_id: projectId, app, path, name: '', created_at: at });
  update(tx, 'volumes', id, { name: nameOf(id) });
  publishChange(tx, { app_id: appId, project_id: projectId }, 'added', path);
  return id;
}

/**
 * Inserts a row for an existing Docker volume that no app uses. The mount path of the volume is unknown.
 * @returns the id of the row
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
  publishChange(tx, { app_id: null, project_id: volume.project_id }, 'kept', '');
  return id;
}

/**
 * Assigns an unused volume to an app and publishes an event. The volume then no longer belongs to a template
 * installation.
 */
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
  publishChange(tx, { app_id: to.appId, project_id: to.projectId }, 'added', to.path);
}

export function trashVolume(tx: Tx, row: VolumeRow, expiresAt: number): void {
  update(tx, 'volumes', row.id, { state: 'trash', expires_at: expiresAt });
  publishChange(tx, row, 'removed', row.path);
}

/**
 * Restores a volume from the trash and publishes an event. The volume gets the state `kept`, which means that no app
 * uses it.
 */
export function keepVolume(tx: Tx, row: VolumeRow): void {
  update(tx, 'volumes', row.id, { state: 'kept', expires_at: null });
  publishChange(tx, row, 'kept', row.path);
}

/** Records that all volumes of an app belong to a template installation. */
export function noteInstallOfVolumes(tx: Tx, appId: number, installId: number): void {
  tx.run('UPDATE volumes SET install_id = ? WHERE app_id = ?', installId, appId);
}

/**
 * Previous owner of a volume: the app, the project and the template installation. Davit needs this data to return the
 * volume to them.
 */
export type FormerOwner = Pick<VolumeRow, 'app_id' | 'project_id' | 'install_id'>;

/**
 * Returns a volume to the former app, project and template installation. The volume gets the state `kept`, which means
 * that no app uses it. `app_id` becomes `null` if the app no longer exists.
 */
export function giveBackVolume(tx: Tx, row: VolumeRow, former: FormerOwner): void {
  tx.run(
    `UPDATE volumes SET state = 'kept', expires_at = NULL, app_id = (SELECT id FROM apps WHERE id = ?),
       project_id = ?, install_id = ? WHERE id = ?`,
    former.app_id,
    former.project_id,
    former.install_id,
    row.id,
  );
  publishChange(tx, row, 'kept', row.path);
}

/**
 * Changes the state of a deleted app's volumes to `kept`, which means that no app uses them. Volumes in the trash do
 * not change.
 */
export function keepVolumesOfApp(tx: Tx, appId: number): void {
  tx.run("UPDATE volumes SET state = 'kept' WHERE app_id = ? AND state = 'used'", appId);
}

/** Deletes the row of a volume after its data was deleted, and publishes an event. */
export function forgetVolume(tx: Tx, row: VolumeRow): void {
  tx.run('DELETE FROM volumes WHERE id = ?', row.id);
  publishChange(tx, row, 'gone', row.path);
}

/** Returns the volumes whose retention time in the trash has ended. The volume that expired first is the first row. */
export function expiredVolumes(db: Reader, at: number): VolumeRow[] {
  return db.all(VOLUME.from(`volumes WHERE state = 'trash' AND expires_at <= ? ORDER BY expires_at`), at);
}

/**
 * Publishes a change event of the app that uses the volume, for users who may see the volume's project. The app may no
 * longer exist.
 */
function publishChange(
  tx: Tx,
  of: Pick<VolumeRow, 'app_id' | 'project_id'>,
  what: 'added' | 'removed' | 'kept' | 'gone',
  path: string,
): void {
  const { app_id: appId, project_id: projectId } = of;
  const detail: { [K in typeof what]?: string } = { [what]: path };
  tx.event({ kind: 'app', projectId, ...(appId !== null && { appId }), data: { change: 'volumes', ...detail } });
}
