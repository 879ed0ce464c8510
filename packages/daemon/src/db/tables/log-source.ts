import { columnsOf, pick, type Row, required, select } from '../select.ts';
import type { Reader } from '../store.ts';

const i = columnsOf('instances', 'i');
const SOURCE = select({ ...pick(i, 'app_id, deployment_id, ordinal'), container_id: required(i.container_id) });
const FROM = `instances i JOIN apps a ON a.id = i.app_id
  WHERE i.role <> 'gone' AND i.container_id IS NOT NULL AND a.deleted_at IS NULL`;

/** Container of a replica. Davit stores the log lines of this container. */
export type LogSource = Row<typeof SOURCE>;

/** Returns the containers of all replicas. Replicas of deleted apps are omitted. */
export function logSources(db: Reader): LogSource[] {
  return db.all(SOURCE.from(FROM));
}

/**
 * Returns the replica container with this Docker id or name. Returns `undefined` if no replica uses this container, or
 * if the app of the replica is deleted.
 */
export function logSourceOf(db: Reader, container: string): LogSource | undefined {
  return db.get(SOURCE.from(`${FROM} AND (i.container_id = ? OR i.name = ?)`), container, container);
}
