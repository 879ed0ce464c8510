import { type DatabaseRow, setDatabase } from './managed-database.ts';
import type { Tx } from './store.ts';

export type NewDatabase = Pick<
  DatabaseRow,
  | 'project_id'
  | 'environment_id'
  | 'project'
  | 'environment'
  | 'name'
  | 'engine'
  | 'version'
  | 'image'
  | 'description'
  | 'username'
  | 'database'
  | 'cpu'
  | 'memory_bytes'
  | 'exposed_port'
> & { extensions: readonly string[]; at: number };

/** What depends on its number: sealed values belong to it, and the volume is called by it. */
export type NumberedParts = Pick<DatabaseRow, 'password' | 'admin_password' | 'tls' | 'volume'>;

export function insertDatabase(tx: Tx, made: NewDatabase, partsOf: (id: number) => NumberedParts): number {
  const { id } = tx.run(
    `INSERT INTO databases (project_id, environment_id, project, environment, name, engine, version, image, description,
       extensions, username, database, cpu, memory_bytes, exposed_port, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    made.project_id,
    made.environment_id,
    made.project,
    made.environment,
    made.name,
    made.engine,
    made.version,
    made.image,
    made.description,
    JSON.stringify(made.extensions),
    made.username,
    made.database,
    made.cpu,
    made.memory_bytes,
    made.exposed_port,
    made.at,
    made.at,
  );
  setDatabase(tx, id, partsOf(id), { change: 'created' });
  return id;
}
