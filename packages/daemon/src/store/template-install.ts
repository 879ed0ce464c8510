/** Templates that were installed, and what of the instance is theirs. */
import type { ResourceKind, Via } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface InstallRow {
  id: number;
  title: string;
  project: string;
  environment: string;
  /** Null: there is no such project, or not any more. */
  project_id: number | null;
  /** JSON of where it came from. */
  origin: string;
  /** JSON of the manifest. */
  manifest: string;
  /** JSON of the names that were chosen. */
  names: string;
  /** JSON of what was to be adopted. */
  adopt: string;
  /** Sealed JSON. */
  answers: string;
  /** Sealed JSON of the release that was there before; null: there was none. */
  previous: string | null;
  newer: string | null;
  installed_at: number | null;
  uninstalled_at: number | null;
  asked_by: string;
  asked_via: Via;
  created_at: number;
  updated_at: number;
}

export type StoredState = 'planned' | 'made' | 'adopted' | 'used' | 'kept';

export interface ResourceRow {
  id: number;
  install_id: number;
  kind: ResourceKind;
  key: string | null;
  name: string;
  reference: string;
  state: StoredState;
  /** Of the thing, in its own table; null: it is not made yet, or was on record before this was. */
  thing_id: number | null;
}

const COLUMNS =
  'id, title, project, environment, project_id, origin, manifest, names, adopt, answers, previous, newer, installed_at, uninstalled_at, asked_by, asked_via, created_at, updated_at';
const RESOURCE = 'id, install_id, kind, key, name, reference, state, thing_id';

export function installById(db: Reader, id: number): InstallRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM template_installs WHERE id = ?`, id);
}

/** Newest first. */
export function listInstalls(db: Reader): InstallRow[] {
  return db.all(`SELECT ${COLUMNS} FROM template_installs ORDER BY id DESC`);
}

/** The newest task of an installation. */
export function lastTaskOf(db: Reader, id: number): number | null {
  const sql = "SELECT max(id) AS id FROM tasks WHERE subject_kind = 'install' AND subject = ?";
  return db.get<{ id: number | null }>(sql, String(id))?.id ?? null;
}

export type NewInstall = Pick<InstallRow, 'title' | 'project' | 'environment' | 'project_id'> &
  Pick<InstallRow, 'origin' | 'manifest' | 'names' | 'adopt' | 'asked_by' | 'asked_via'>;

/** @param seal makes the answers of the number that it gets */
export function insertInstall(tx: Tx, install: NewInstall, at: number, seal: (id: number) => string): number {
  const { id } = tx.run(
    `INSERT INTO template_installs
       (title, project, environment, project_id, origin, manifest, names, adopt, answers, asked_by, asked_via, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)`,
    install.title,
    install.project,
    install.environment,
    install.project_id,
    install.origin,
    install.manifest,
    install.names,
    install.adopt,
    install.asked_by,
    install.asked_via,
    at,
    at,
  );
  tx.run('UPDATE template_installs SET answers = ? WHERE id = ?', seal(id), id);
  tellOf(tx, id, 'created');
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

const CHANGEABLE = [
  ...(['title', 'project_id', 'origin', 'manifest', 'names', 'answers'] as const),
  ...(['previous', 'newer', 'installed_at', 'uninstalled_at'] as const),
];

export function changeInstall(tx: Tx, id: number, change: InstallChange, at: number): void {
  const given = CHANGEABLE.filter((column) => change[column] !== undefined);
  const values = given.map((column) => change[column] ?? null);
  const sets = [...given.map((column) => `${column} = ?`), 'updated_at = ?'].join(', ');
  tx.run(`UPDATE template_installs SET ${sets} WHERE id = ?`, ...values, at, id);
  tellOf(tx, id, 'changed');
}

/** Told to those who see the project. */
function tellOf(tx: Tx, id: number, change: string): void {
  const projectId = installById(tx, id)?.project_id ?? null;
  const data = { kind: 'install', reference: String(id), change };
  tx.event({ kind: 'resource', ...(projectId !== null && { projectId }), data });
}

/** In the order in which they were made. */
export function resourcesOf(db: Reader, installId: number): ResourceRow[] {
  return db.all(`SELECT ${RESOURCE} FROM template_resources WHERE install_id = ? ORDER BY id`, installId);
}

export function allResources(db: Reader): ResourceRow[] {
  return db.all(`SELECT ${RESOURCE} FROM template_resources ORDER BY id`);
}

/** Puts a resource on record, or in another state; which thing it is stays known. */
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
  tellOf(tx, resource.install_id, 'resources');
}

export function deleteResource(tx: Tx, id: number): void {
  tx.run('DELETE FROM template_resources WHERE id = ?', id);
}
