import { select, sql } from '../select.ts';
import type { Reader } from '../store.ts';

const PORT = select({ port: sql.integer('port') });

/**
 * Returns the server ports at which apps, databases and object stores are published without HAProxy. The ports are in
 * ascending order.
 */
export function publishedPorts(db: Reader): number[] {
  return db
    .all(
      PORT.from(
        `(SELECT host_port AS port FROM tcp_ports
          UNION SELECT exposed_port FROM databases WHERE exposed_port IS NOT NULL
          UNION SELECT port FROM object_stores WHERE port IS NOT NULL) ORDER BY port`,
      ),
    )
    .map(({ port }) => port);
}
