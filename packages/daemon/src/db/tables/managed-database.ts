/** The databases that the instance runs for apps. What the instance itself keeps its records in is `database.ts`. */
import type { ResourceChange } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';

/** What was last seen of its container. `unready`: it runs and does not answer. */
export type DatabaseObserved = DatabaseRow['observed'];

const DATABASE = selectFrom(
  'databases',
  'id, project_id, environment_id, project, environment, name, engine, version, image, image_id, description, extensions, username, database, password, admin_password, tls, other_logins, options, allow_config, rules, cpu, memory_bytes, exposed_port, volume, wanted, state, generation, address, container_id, applied, container_limits, observed, reason, created_at, updated_at, deleted_at, expires_at',
);

/** Passwords are sealed: `resources/databases/secrets.ts` opens them. */
export type DatabaseRow = Row<typeof DATABASE>;

const NAMED = selectFrom('databases', 'project, environment, environment_id, name, address');

/** `project/environment/name`. */
export function databaseReference(row: Pick<DatabaseRow, 'project' | 'environment' | 'name'>): string {
  return `${row.project}/${row.environment}/${row.name}`;
}

/** Written by this program, and by nobody else. */
export function extensionsOf({ extensions }: Pick<DatabaseRow, 'extensions'>): string[] {
  return JSON.parse(extensions) as string[];
}

export function databaseById(db: Reader, id: number): DatabaseRow | undefined {
  return db.get(DATABASE.from('databases WHERE id = ?'), id);
}

/** One outside the trash. */
export function databaseByName(db: Reader, environmentId: number, name: string): DatabaseRow | undefined {
  return db.get(
    DATABASE.from(`databases WHERE environment_id = ? AND name = ? AND deleted_at IS NULL AND state <> 'hidden'`),
    environmentId,
    name,
  );
}

/** One outside the trash. */
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

/** Those outside the trash of the projects with these ids, or all of them for null, by reference. */
export function listDatabaseRows(db: Reader, projectIds: readonly number[] | null): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases
      WHERE deleted_at IS NULL AND state <> 'hidden' AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))
      ORDER BY project, environment, name`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

/** Those in the trash, the last deleted first. */
export function trashedDatabaseRows(db: Reader, projectIds: readonly number[] | null): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases
      WHERE deleted_at IS NOT NULL AND (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1)))
      ORDER BY deleted_at DESC, id DESC`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

/** Every one, those in the trash too. */
export function allDatabases(db: Reader): DatabaseRow[] {
  return db.all(DATABASE.from('databases ORDER BY id'));
}

/** Those of an environment outside the trash, by name. */
export function databasesOfEnvironment(db: Reader, environmentId: number): DatabaseRow[] {
  return db.all(
    DATABASE.from(`databases WHERE environment_id = ? AND deleted_at IS NULL AND state <> 'hidden' ORDER BY name`),
    environmentId,
  );
}

/** Those of a project outside the trash, by reference. */
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

/** What may be changed of a row; each of these is a column. */
export type DatabaseChange = Partial<Omit<DatabaseRow, 'id' | 'engine' | 'created_at'>>;

/**
 * Changes columns of a row.
 * @param tell what is told of it to who follows; absent: nothing that anybody sees has changed
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

/** For one whose data is gone. */
export function forgetDatabase(tx: Tx, id: number): void {
  const row = databaseById(tx, id);
  tx.run('DELETE FROM databases WHERE id = ?', id);
  tellOf(tx, row, 'gone');
}

/** Those that can be found by a name: made, wanted, and with a container that has an address. */
export function namedDatabases(db: Reader): Row<typeof NAMED>[] {
  return db.all(
    NAMED.from(`databases
      WHERE deleted_at IS NULL AND state = 'made' AND wanted = 'running' AND address IS NOT NULL AND container_id IS NOT NULL
      ORDER BY id`),
  );
}

/** Told to those who see the project. */
function tellOf(tx: Tx, row: DatabaseRow | undefined, change: ResourceChange): void {
  if (row === undefined) return;
  const data = { kind: 'database', reference: databaseReference(row), change } as const;
  tx.event({ kind: 'resource', projectId: row.project_id, data });
}
