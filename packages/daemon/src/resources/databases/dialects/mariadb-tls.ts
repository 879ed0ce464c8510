/**
 * TLS check of an exposed MariaDB database. MariaDB has one port for all connections. With the option
 * `require_secure_transport`, the server would also reject apps of the environment. So the server checks each
 * connection, depending on the IP address of the client.
 */
import type { NetworkAccess } from './dialect.ts';
import { mysqlList, mysqlLiteral } from './mysql-text.ts';

/** The TLS check reads these columns with the permissions of the login that connects. */
const TABLE = { schema: 'performance_schema', name: 'threads', columns: ['PROCESSLIST_ID', 'CONNECTION_TYPE'] };

/**
 * Arguments that enable the performance schema for the TLS check. The check reads only the table `threads`. All other
 * sizes are minimal, because the default sizes need 94 MiB. Because of the prefix `loose`, the server ignores a size
 * that it does not support.
 */
const THREADS_ONLY = [
  '--performance-schema',
  '--loose-performance-schema-max-statement-stack=1',
  ...[
    ...['cond', 'file', 'memory', 'mutex', 'rwlock', 'socket', 'stage', 'statement'].map(
      (kind) => `max-${kind}-classes`,
    ),
    ...['max-table-instances', 'max-sql-text-length', 'max-digest-length', 'digests-size'],
    ...['waits', 'stages', 'statements', 'transactions'].map((kind) => `events-${kind}-history-size`),
    'events-statements-history-long-size',
  ].map((size) => `--loose-performance-schema-${size}=0`),
];

/**
 * Returns arguments with which MariaDB rejects connections without TLS from outside the environment. MariaDB runs
 * `init_connect` for each user without administrator permissions. If the statement fails, MariaDB closes the
 * connection.
 */
export function refusePlain({ subnet, gateway }: NetworkAccess): string[] {
  const [network = '', bits = '32'] = subnet.split('/');
  const mask = 2 ** 32 - 2 ** (32 - Number(bits));
  const client = "SUBSTRING_INDEX(USER(), '@', -1)";
  // `INET_ATON` returns NULL for an IPv6 address. `IF` then treats the client like a client outside the environment.
  const inSubnet = `(INET_ATON(${client}) & ${mask}) = INET_ATON('${network}') AND ${client} <> '${gateway}'`;
  const isInside = `${client} IN ('localhost', '127.0.0.1') OR (${inSubnet})`;
  // The status variable `Ssl_cipher` cannot be used, because it is always empty in `init_connect`.
  const [id, type] = TABLE.columns;
  const hasTls = `EXISTS (SELECT 1 FROM ${TABLE.schema}.${TABLE.name} WHERE ${id} = CONNECTION_ID() AND ${type} = 'SSL/TLS')`;
  /*
   * A scalar subquery that returns two rows causes an error. The subquery returns two rows only for a connection
   * without TLS.
   */
  const check = `SELECT (SELECT 1 FROM (SELECT 1 UNION ALL SELECT 2) AS refused WHERE NOT ${hasTls})`;
  /*
   * Run the check only for clients outside the environment, so that apps do not need permission to read the table
   * `threads`.
   */
  const checked = `EXECUTE IMMEDIATE IF(${isInside}, 'DO 0', ${mysqlLiteral(check)})`;
  // Disable name resolution. Otherwise, `USER()` would contain the host name of an app instead of its IP address.
  return ['--skip-name-resolve', ...THREADS_ONLY, `--init-connect=${checked}`];
}

/**
 * Permission that each login needs for the TLS check. With this permission, the login can read the id and type of each
 * connection, but no content.
 */
export const GRANTED = `SELECT (${TABLE.columns.join(', ')}) ON ${TABLE.schema}.${TABLE.name}`;

const isOfTable = `db = ${mysqlLiteral(TABLE.schema)} AND table_name = ${mysqlLiteral(TABLE.name)}`;

/** SQL conditions for rows in system tables that contain permissions for `performance_schema.threads`. */
export const GRANTED_ROWS = {
  tables_priv: isOfTable,
  columns_priv: `${isOfTable} AND column_name IN (${mysqlList(TABLE.columns)})`,
};

/**
 * SQL statement that removes permissions for the whole table `threads`. An earlier administrator may have granted such
 * permissions.
 */
export const REMOVE_WHOLE_TABLE = `UPDATE mysql.tables_priv SET table_priv = '' WHERE ${isOfTable};`;
