/** Databases that the instance runs for apps. The database of the daemon itself is in `database.ts`. */
import type { ResourceChange } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';

/** Last observed state of the container. `unready`: the container runs, but the database does not respond. */
export type DatabaseObserved = DatabaseRow['observed'];

const DATABASE = selectFrom(
  'databases',
  'id, project_id, environment_id, project, environment, name, engine, version, image, image_id, description, extensions, username, database, password, admin_password, tls, other_logins, options, allow_config, rules, cpu, memory_bytes, exposed_port, volume, wanted, state, generation, address, container_id, applied, container_limits, observed, reason, created_at, updated_at, deleted_at, expires_at',
);

/** Row of a database. Its passwords are encrypted: `resources/databases/secrets.ts` decrypts them. */
export type DatabaseRow = Row<typeof DATABASE>;

const NAMED = selectFrom('databases', 'project, environment, environment_id, name, address');

/** Returns the reference of a database, `project/environment/name`. */
export function databaseReference(row: Pick<DatabaseRow, 'project' | 'environment' | 'name'>): string {
  return `${row.project}/${row.environment}/${row.name}`;
}

/** Parses the extensions without validation, because only the daemon writes the column. */
export function extensionsOf({ extensions }: Pick<DatabaseRow, 'extensions'>): string[] {
  return JSON.parse(extensions) as string[];
}

export function databaseById(db: Reader, id: number): DatabaseRow | undefined {
  return db.get(DATABASE.from('databases WHERE id = ?'), id);
}

/** Returns a database that is not in the trash. */
export function databaseByName(db: Reader, environmentId: number, name: string): DatabaseRow | undefined {
  return db.get(
    DATABASE.from(`databases WHERE environment_id = ? AND name = ? AND deleted_at IS NULL AND state <> 'hidden'`),
    environmentId,
    name,
  );
}

/** Returns a database that is not in the trash. */
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
 * Lists databases by reference: those of the given projects, or all if `projectIds` is `null`. Databases in the trash
 * are omitted.
 */
export function listDatabaseRows(db: Reader, projectIds: readonly number[] | null): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases
      WHERE deleted_at IS NULL AND state <> 'hidden' AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))
      ORDER BY project, environment, name`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

/** Lists the databases in the trash, last deleted first. */
export function trashedDatabaseRows(db: Reader, projectIds: readonly number[] | null): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases
      WHERE deleted_at IS NOT NULL AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))
      ORDER BY deleted_at DESC, id DESC`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

/** Returns all databases, also those in the trash. */
export function allDatabases(db: Reader): DatabaseRow[] {
  return db.all(DATABASE.from('databases ORDER BY id'));
}

/** Returns the databases of an environment by name. Databases in the trash are omitted. */
export function databasesOfEnvironment(db: Reader, environmentId: number): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases WHERE environment_id = ? AND deleted_at IS NULL AND state <> 'hidden' ORDER BY name`),
    environmentId,
  );
}

/** Returns the databases of a project by reference. Databases in the trash are omitted. */
export function databasesOfProject(db: Reader, projectId: number): DatabaseRow[] {
  return db.all(
    DATABASE.from(
      `databases WHERE project_id = ? AND deleted_at IS NULL AND state <> 'hidden' ORDER BY environment, name`,
    ),
    projectId,
  );
}

export function databaseByPort(db: Reader, port: number): DatabaseRow | undefined {
  return db.get(DATABASE.from('databases WHERE exposed_port = ?'), port);
}

/** Columns of a row that can be changed. */
export type DatabaseChange = Partial<Omit<DatabaseRow, 'id' | 'engine' | 'created_at'>>;

/**
 * Changes columns of a row.
 * @param tell event to publish. Not set if nothing visible to users changed.
 */
export function setDatabase(
  tx: Tx,
  id: number,
  change: DatabaseChange,
  tell?: { change: ResourceChange; at?: number },
): void {
  update(tx, 'databases', id, { ...change, ...(tell?.at !== undefined && { updated_at: tell.at }) });
  if (tell !== undefined) tellOf(tx, databaseById(tx, id), tell.change);
}

/** Deletes the row of a database whose data has been deleted. */
export function forgetDatabase(tx: Tx, id: number): void {
  const row = databaseById(tx, id);
  tx.run('DELETE FROM databases WHERE id = ?', id);
  tellOf(tx, row, 'gone');
}

/**
 * Returns the databases that the DNS of apps can resolve: created, wanted as running, and with a container and an
 * address.
 */
export function namedDatabases(db: Reader): Row<typeof NAMED>[] {
  return db.all(
    NAMED.from(`databases
      WHERE deleted_at IS NULL AND state = 'made' AND wanted = 'running' AND address IS NOT NULL AND container_id IS NOT NULL
      ORDER BY id`),
  );
}

/** Publishes a change to users who see the project. */
function tellOf(tx: Tx, row: DatabaseRow | undefined, change: ResourceChange): void {
  if (row === undefined) return;
  const data = { kind: 'database', reference: databaseReference(row), change } as const;
  tx.event({ kind: 'resource', projectId: row.project_id, data });
}
