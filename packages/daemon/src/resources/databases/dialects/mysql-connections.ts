/** Lists the connections of a MySQL or MariaDB server that must be closed. */
import type { Login } from './dialect.ts';
import { mysqlLiteral } from './mysql-text.ts';

/**
 * Maximum time in seconds for which Davit's user `davit_reader` may wait for a lock. After this time, Davit closes the
 * connection. Backups are not affected, because a backup stops waiting for a lock earlier.
 */
const MOST_WAITED_S = 20 * 60;

/**
 * SQL condition that matches Davit's own connections. It requires a client port, because only real connections have
 * one. A scheduled MySQL event can run under the same user name, but has no port.
 */
const IS_OWN = `(p.user IN ('root', 'davit_reader') AND p.host REGEXP '^(localhost|127[.]0[.]0[.]1):'
      OR p.user = 'unauthenticated user' AND p.host REGEXP '^(localhost|127[.]0[.]0[.]1)?(:|$)')`;

/**
 * SQL condition for connections that belong to the database server itself. It does not match replication threads,
 * because they may run statements from another server.
 */
const IS_SERVERS = `(p.user = 'event_scheduler' OR p.user = 'system user' AND p.command = 'Daemon')`;

/**
 * Returns an SQL statement that lists the connections to close. `openConnections` parses the output.
 * @param logins valid logins, whose connections stay open unless `findOutdated` found that the login is outdated. Pass
 * the same list to `findOutdated`, which sets one SQL variable for each position in the list, for example `@outdated_0`
 */
export function listForeignConnections(logins: readonly Login[]): string {
  const mayStay = logins.map(({ username }, at) => `p.user = ${mysqlLiteral(username)} AND NOT @outdated_${at}`);
  return listWhere(`NOT ${IS_SERVERS}
      AND NOT ${IS_OWN}
      AND NOT (${['FALSE', ...mayStay].join(' OR ')})
      OR (p.user = 'davit_reader' AND p.state LIKE 'Waiting for %lock' AND p.time > ${MOST_WAITED_S})`);
}

/** Returns an SQL statement that lists the connections of a disabled user. `openConnections` reads its output. */
export function listConnectionsOf(username: string): string {
  return listWhere(`p.user = ${mysqlLiteral(username)} OR (p.user = 'unauthenticated user' AND NOT ${IS_OWN})`);
}

/**
 * Returns one SQL statement that lists all matching connections, including clients that are still signing in. With two
 * statements, a client could finish its sign-in between them and appear in neither list.
 */
function listWhere(condition: string): string {
  return `SELECT IF(p.user = 'unauthenticated user', 'connecting', 'connection'), p.id, ''
    FROM information_schema.processlist p WHERE ${condition};`;
}

/**
 * Ids of the database connections to close. `signedIn` contains connections that have signed in. `connecting` contains
 * connections that are still signing in.
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
