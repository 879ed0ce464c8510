import type { Tx } from '../store.ts';
import { insert } from '../write.ts';
import { type DatabaseRow, setDatabase } from './managed-database.ts';

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
> &
  Partial<Pick<DatabaseRow, 'allow_config'>> & { extensions: readonly string[]; at: number };

/**
 * Columns of a new database that are set after its row was inserted. The values depend on the id of the row. An example
 * is the name of the volume.
 */
export type NumberedParts = Pick<DatabaseRow, 'password' | 'admin_password' | 'tls' | 'volume' | 'rules'>;

export function insertDatabase(tx: Tx, made: NewDatabase, partsOf: (id: number) => NumberedParts): number {
  const id = insert(tx, 'databases', {
    project_id: made.project_id,
    environment_id: made.environment_id,
    project: made.project,
    environment: made.environment,
    name: made.name,
    engine: made.engine,
    version: made.version,
    image: made.image,
    description: made.description,
    extensions: JSON.stringify(made.extensions),
    username: made.username,
    database: made.database,
    allow_config: made.allow_config ?? 0,
    cpu: made.cpu,
    memory_bytes: made.memory_bytes,
    exposed_port: made.exposed_port,
    created_at: made.at,
    updated_at: made.at,
  });
  setDatabase(tx, id, partsOf(id), { change: 'created' });
  return id;
}
