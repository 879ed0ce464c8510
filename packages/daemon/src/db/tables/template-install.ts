/**
 * Functions for template installations, and for the apps, databases and other resources that a template installation
 * created or uses.
 */
import type { ResourceChange } from '@davit/api';
import { columnsOf, oneOf, orNull, type Row, required, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { deleteSetting, readSetting } from './settings.ts';

const INSTALL = selectFrom(
  'template_installs',
  'id, title, project, environment, project_id, origin, manifest, names, adopt, answers, previous, newer, installed_at, uninstalled_at, asked_by, asked_via, created_at, updated_at',
);

export type InstallRow = Row<typeof INSTALL>;

const NEWEST = select({ id: orNull(sql.integer('max(id)')) });

const RESOURCE = selectFrom('template_resources', 'id, install_id, kind, key, name, reference, state, thing_id');

const r = columnsOf('template_resources', 'r');
const PART = select({
  kind: oneOf(r.kind, 'app', 'database'),
  key: required(r.key),
  thing_id: required(r.thing_id),
});

export type ResourceRow = Row<typeof RESOURCE>;

export type StoredState = ResourceRow['state'];

export function installById(db: Reader, id: number): InstallRow | undefined {
  return db.get(INSTALL.from('template_installs WHERE id = ?'), id);
}

/** Returns all template installations, newest first. */
export function listInstalls(db: Reader): InstallRow[] {
  return db.all(INSTALL.from('template_installs ORDER BY id DESC'));
}

/** Returns the template installations of a project that are not uninstalled, oldest first. */
export function installsOfProject(db: Reader, projectId: number): InstallRow[] {
  return db.all(
    INSTALL.from('template_installs WHERE project_id = ? AND uninstalled_at IS NULL ORDER BY id'),
    projectId,
  );
}

/** Returns the id of the newest task of a template installation, or `null` if there is none. */
export function lastTaskOf(db: Reader, id: number): number | null {
  const query = NEWEST.from("tasks WHERE subject_kind = 'install' AND subject = ?");
  return db.get(query, String(id))?.id ?? null;
}

export type NewInstall = Pick<InstallRow, 'title' | 'project' | 'environment' | 'project_id'> &
  Pick<InstallRow, 'origin' | 'names' | 'adopt' | 'asked_by' | 'asked_via'>;

/** Encrypted columns that every template installation has. */
export type SealedInstall = Pick<InstallRow, 'manifest' | 'answers'>;

/**
 * Inserts a template installation and publishes an event.
 * @param seal encrypts the manifest and the inputs. The encrypted text is valid only for the id of the installation.
 * @returns the id of the installation
 */
export function insertInstall(tx: Tx, install: NewInstall, at: number, seal: (id: number) => SealedInstall): number {
  const id = insert(tx, 'template_installs', {
    title: install.title,
    project: install.project,
    environment: install.environment,
    project_id: install.project_id,
    origin: install.origin,
    manifest: '',
    names: install.names,
    adopt: install.adopt,
    answers: '',
    asked_by: install.asked_by,
    asked_via: install.asked_via,
    created_at: at,
    updated_at: at,
  });
  update(tx, 'template_installs', id, seal(id));
  publishChange(tx, id, 'created');
  return id;
}

export type InstallChange = Partial<
  Pick<
    InstallRow,
    | 'title'
    | 'project_id'
    | 'origin'
    | 'manifest'
    | 'names'
    | 'answers'
    | 'previous'
    | 'newer'
    | 'installed_at'
    | 'uninstalled_at'
  >
>;

export function changeInstall(tx: Tx, id: number, change: InstallChange, at: number): void {
  update(tx, 'template_installs', id, { ...change, updated_at: at });
  publishChange(tx, id, 'changed');
}

/**
 * Setting that exists if manifests are stored in plain text. Migration 052 inserts the setting. The next start of the
 * daemon encrypts the manifests and deletes the setting.
 */
const PLAIN_MANIFESTS = 'plain_manifests';

export function hasPlainManifests(db: Reader): boolean {
  return readSetting(db, PLAIN_MANIFESTS) !== undefined;
}

/**
 * Encrypts the manifests of all template installations, which earlier Davit versions stored in plain text.
 * @param seal encrypts a manifest. The encrypted text is valid only for the id of the installation.
 */
export function sealPlainManifests(tx: Tx, seal: (id: number, manifest: string) => string): void {
  // Without `secure_delete`, the replaced plain text would remain in unused parts of the SQLite file.
  tx.run('PRAGMA secure_delete = ON');
  for (const { id, manifest } of listInstalls(tx))
    update(tx, 'template_installs', id, { manifest: seal(id, manifest) });
  deleteSetting(tx, PLAIN_MANIFESTS);
}

/** Publishes a change event for users who may see the installation's project. */
function publishChange(tx: Tx, id: number, change: ResourceChange): void {
  const projectId = installById(tx, id)?.project_id ?? null;
  const data = { kind: 'install', reference: String(id), change } as const;
  tx.event({ kind: 'resource', ...(projectId !== null && { projectId }), data });
}

/** Returns the resources of a template installation, oldest first. */
export function resourcesOf(db: Reader, installId: number): ResourceRow[] {
  return db.all(RESOURCE.from('template_resources WHERE install_id = ? ORDER BY id'), installId);
}

/**
 * Returns the apps and databases of all template installations that are not uninstalled, oldest first. Each row
 * contains the id of the resource and its key in the template.
 */
export function installedParts(db: Reader): Row<typeof PART>[] {
  return db.all(
    PART.from(`template_resources r JOIN template_installs t ON t.id = r.install_id
      WHERE r.kind IN ('app', 'database') AND r.state IN ('made', 'adopted') AND r.key IS NOT NULL
        AND r.thing_id IS NOT NULL AND t.uninstalled_at IS NULL ORDER BY r.id`),
  );
}

export function allResources(db: Reader): ResourceRow[] {
  return db.all(RESOURCE.from('template_resources ORDER BY id'));
}

/**
 * Inserts or updates a resource of a template installation, and publishes an event. If `thing_id` is `null`, the stored
 * value of `thing_id` does not change.
 */
export function putResource(tx: Tx, resource: Omit<ResourceRow, 'id'>, at: number): void {
  tx.run(
    `INSERT INTO template_resources (install_id, kind, key, name, reference, state, thing_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (install_id, kind, reference) DO UPDATE
       SET state = excluded.state, key = excluded.key, thing_id = coalesce(excluded.thing_id, thing_id)`,
    resource.install_id,
    resource.kind,
    resource.key,
    resource.name,
    resource.reference,
    resource.state,
    resource.thing_id,
    at,
  );
  publishChange(tx, resource.install_id, 'resources');
}

export function deleteResource(tx: Tx, id: number): void {
  tx.run('DELETE FROM template_resources WHERE id = ?', id);
}
