/**
 * Functions for database servers that the instance runs for apps. The SQLite database of the daemon itself is opened in
 * `database.ts`.
 */
import type { ResourceChange } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';

/**
 * Last observed state of a database server. `unready` means that the container runs, but the database server does not
 * respond.
 */
export type DatabaseObserved = DatabaseRow['observed'];

const DATABASE = selectFrom(
  'databases',
  'id, project_id, environment_id, project, environment, name, engine, version, image, image_id, description, extensions, username, database, password, admin_password, tls, certificate, served_certificate, other_logins, options, allow_config, rules, cpu, memory_bytes, exposed_port, volume, wanted, state, generation, address, container_id, applied, container_limits, observed, reason, created_at, updated_at, deleted_at, expires_at',
);

/** Database server that the instance runs for apps. The passwords in the row are encrypted. */
export type DatabaseRow = Row<typeof DATABASE>;

const NAMED = selectFrom('databases', 'id, project, environment, environment_id, name, address');
const NAME = selectFrom('databases', 'id, environment_id, name');

/** Returns the name of a database as `project/environment/name`. */
export function databaseReference(row: Pick<DatabaseRow, 'project' | 'environment' | 'name'>): string {
  return `${row.project}/${row.environment}/${row.name}`;
}

/**
 * Parses the names of the enabled database extensions. The JSON is not validated, because only the daemon writes it.
 */
export function extensionsOf({ extensions }: Pick<DatabaseRow, 'extensions'>): string[] {
  return JSON.parse(extensions) as string[];
}

export function databaseById(db: Reader, id: number): DatabaseRow | undefined {
  return db.get(DATABASE.from('databases WHERE id = ?'), id);
}

/**
 * Returns the database with this name in an environment. Ignores databases in the trash, and hidden databases that a
 * background task created.
 */
export function databaseByName(db: Reader, environmentId: number, name: string): DatabaseRow | undefined {
  return db.get(
    DATABASE.from(`databases WHERE environment_id = ? AND name = ? AND deleted_at IS NULL AND state <> 'hidden'`),
    environmentId,
    name,
  );
}

/**
 * Returns a database by `project/environment/name`. Ignores databases in the trash, and hidden databases that a
 * background task created.
 */
export function databaseByReference(db: Reader, reference: string): DatabaseRow | undefined {
  const [project = '', environment = '', name = ''] = reference.split('/');
  return db.get(
    DATABASE.from(
      `databases WHERE project = ? AND environment = ? AND name = ? AND deleted_at IS NULL AND state <> 'hidden'`,
    ),
    project,
    environment,
    name,
  );
}

/**
 * Returns the databases of projects, sorted by name. Omits databases in the trash and temporary databases of background
 * tasks.
 * @param projectIds ids of the projects, or `null` for all projects
 */
export function listDatabaseRows(db: Reader, projectIds: readonly number[] | null): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases
      WHERE deleted_at IS NULL AND state <> 'hidden' AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))
      ORDER BY project, environment, name`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

/**
 * Returns the databases in the trash, most recently deleted first.
 * @param projectIds ids of the projects, or `null` for all projects
 */
export function trashedDatabaseRows(db: Reader, projectIds: readonly number[] | null): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases
      WHERE deleted_at IS NOT NULL AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))
      ORDER BY deleted_at DESC, id DESC`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

/** Returns all databases, including databases in the trash and temporary databases of background tasks. */
export function allDatabases(db: Reader): DatabaseRow[] {
  return db.all(DATABASE.from('databases ORDER BY id'));
}

/**
 * Returns the databases of an environment, sorted by name. Omits databases in the trash and temporary databases of
 * background tasks.
 */
export function databasesOfEnvironment(db: Reader, environmentId: number): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases WHERE environment_id = ? AND deleted_at IS NULL AND state <> 'hidden' ORDER BY name`),
    environmentId,
  );
}

/**
 * Returns the databases of a project, sorted by name. Omits databases in the trash and temporary databases of
 * background tasks.
 */
export function databasesOfProject(db: Reader, projectId: number): DatabaseRow[] {
  return db.all(
    DATABASE.from(
      `databases WHERE project_id = ? AND deleted_at IS NULL AND state <> 'hidden' ORDER BY environment, name`,
    ),
    projectId,
  );
}

/**
 * Returns the names of all databases, with the ids of their environments. Omits databases in the trash and temporary
 * databases of background tasks.
 */
export function databaseNames(db: Reader): Row<typeof NAME>[] {
  return db.all(NAME.from(`databases WHERE deleted_at IS NULL AND state <> 'hidden' ORDER BY id`));
}

export function databaseByPort(db: Reader, port: number): DatabaseRow | undefined {
  return db.get(DATABASE.from('databases WHERE exposed_port = ?'), port);
}

export type DatabaseChange = Partial<Omit<DatabaseRow, 'id' | 'engine' | 'created_at'>>;

/**
 * Updates columns of a database's row.
 * @param event event to publish. Omit this parameter for a change that users cannot see.
 */
export function setDatabase(
  tx: Tx,
  id: number,
  change: DatabaseChange,
  event?: { change: ResourceChange; at?: number },
): void {
  update(tx, 'databases', id, { ...change, ...(event?.at !== undefined && { updated_at: event.at }) });
  if (event !== undefined) publishChange(tx, databaseById(tx, id), event.change);
}

/** Deletes the row of a database after its data was deleted, and publishes an event. */
export function forgetDatabase(tx: Tx, id: number): void {
  const row = databaseById(tx, id);
  tx.run('DELETE FROM databases WHERE id = ?', id);
  publishChange(tx, row, 'gone');
}

/**
 * Returns the databases that have a DNS name for apps. Such a database should be running, and has a container and an IP
 * address.
 */
export function namedDatabases(db: Reader): Row<typeof NAMED>[] {
  return db.all(
    NAMED.from(`databases
      WHERE deleted_at IS NULL AND state = 'made' AND wanted = 'running' AND address IS NOT NULL AND container_id IS NOT NULL
      ORDER BY id`),
  );
}

/** Publishes a change event for users who may see the database's project. */
function publishChange(tx: Tx, row: DatabaseRow | undefined, change: ResourceChange): void {
  if (row === undefined) return;
  const data = { kind: 'database', reference: databaseReference(row), change } as const;
  tx.event({ kind: 'resource', projectId: row.project_id, data });
}
