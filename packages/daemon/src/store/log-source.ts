import type { Reader } from './store.ts';

/** A container whose lines are kept. */
export interface LogSource {
  app_id: number;
  deployment_id: number;
  ordinal: number;
  container_id: string;
}

const SOURCES = `SELECT i.app_id, i.deployment_id, i.ordinal, i.container_id
   FROM instances i JOIN apps a ON a.id = i.app_id
  WHERE i.role <> 'gone' AND i.container_id IS NOT NULL AND a.deleted_at IS NULL`;

/** Every container that an instance of an app has. */
export function logSources(db: Reader): LogSource[] {
  return db.all(SOURCES);
}

/** The same for one container, by its id or its name; undefined: it is no instance's, or its app is deleted. */
export function logSourceOf(db: Reader, container: string): LogSource | undefined {
  return db.get(`${SOURCES} AND (i.container_id = ? OR i.name = ?)`, container, container);
}
