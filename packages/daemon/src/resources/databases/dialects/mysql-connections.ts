/** Lists the connections of a MySQL or MariaDB server that Davit must close. */
import type { Login } from './dialect.ts';
import { mysqlLiteral } from './mysql-text.ts';

/**
 * Maximum time in seconds for which `davit_reader` may wait for a lock. After this time, Davit closes the connection.
 * Backups use `davit_reader`, and they stop waiting earlier.
 */
const MOST_WAITED_S = 20 * 60;

/**
 * SQL condition for Davit's own connections. Scheduled events with the same user name are excluded, because only a real
 * connection has a client port.
 */
const IS_OWN = `(p.user IN ('root', 'davit_reader') AND p.host REGEXP '^(localhost|127[.]0[.]0[.]1):'
      OR p.user = 'unauthenticated user' AND p.host REGEXP '^(localhost|127[.]0[.]0[.]1)?(:|$)')`;

/**
 * SQL condition for internal connections of the server. Replication threads are excluded, because they can run
 * statements of another server.
 */
const IS_SERVERS = `(p.user = 'event_scheduler' OR p.user = 'system user' AND p.command = 'Daemon')`;

/**
 * Returns an SQL statement that lists the connections that must be closed.
 * @param logins same list as for `findOutdated`, which sets `@outdated_0` for the first login
 */
export function listForeignConnections(logins: readonly Login[]): string {
  const mayStay = logins.map(({ username }, at) => `p.user = ${mysqlLiteral(username)} AND NOT @outdated_${at}`);
  return listWhere(`NOT ${IS_SERVERS}
      AND NOT ${IS_OWN}
      AND NOT (${['FALSE', ...mayStay].join(' OR ')})
      OR (p.user = 'davit_reader' AND p.state LIKE 'Waiting for %lock' AND p.time > ${MOST_WAITED_S})`);
}

/**
 * Returns an SQL statement that lists the connections of a disabled user. The function `openConnections` parses the
 * output of the statement.
 */
export function listConnectionsOf(username: string): string {
  return listWhere(`p.user = ${mysqlLiteral(username)} OR (p.user = 'unauthenticated user' AND NOT ${IS_OWN})`);
}

/**
 * Returns one SQL statement that lists all connections. With two statements, the result could miss a client that
 * finishes its sign-in between the two statements.
 */
function listWhere(condition: string): string {
  return `SELECT IF(p.user = 'unauthenticated user', 'connecting', 'connection'), p.id, ''
    FROM information_schema.processlist p WHERE ${condition};`;
}

/**
 * Ids of the database connections that must be closed. `connecting` contains the connections that have not signed in
 * yet.
 */
export interface OpenConnections {
  signedIn: string[];
  connecting: string[];
}

export function openConnections(answer: string): OpenConnections {
  const lines = answer.split('\n').map((line) => line.split('\t'));
  const of = (kind: string) => lines.flatMap(([first, id = '']) => (first === kind && /^\d+$/.test(id) ? id : []));
  return { signedIn: of('connection'), connecting: of('connecting') };
}
