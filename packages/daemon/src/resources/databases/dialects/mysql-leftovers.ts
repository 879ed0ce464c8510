/**
 * Removes what a login with administrator rights may have left in MySQL or MariaDB: accounts, roles and rights outside
 * the app's database. Objects of the app stay, but no longer run with the rights of the administrator.
 */
import type { DatabaseFacts, Login } from './dialect.ts';

/** Accounts that MySQL, MariaDB and their images create. They connect only from inside the container. */
const OWN = [
  ...['root@localhost', 'root@127.0.0.1', 'mysql@localhost', 'mariadb.sys@localhost', 'mysql.sys@localhost'],
  ...['mysql.session@localhost', 'mysql.infoschema@localhost', 'davit_reader@127.0.0.1'],
];

/**
 * Time in seconds after which a `davit_reader` connection that waits for a lock is closed. A backup that is still
 * running has given up before that.
 */
const MOST_WAITED_S = 20 * 60;

/** Table of accounts and their server rights, which differs between MySQL and MariaDB. */
export interface AccountTable {
  table: string;
  /** SQL assignments that lock an account and remove its rights. */
  locked: string;
  /** SQL statements that remove roles. */
  roles: readonly string[];
  /** Returns an SQL condition that is true if a user has a role. */
  hasRole: (name: string) => string;
  /**
   * Returns an SQL condition that is true if an account has another password than this login. Absent if the server
   * cannot compare passwords.
   */
  hasOther?: (login: Login) => string;
  /**
   * Returns SQL statements that give a trigger another definer. Absent if the server cannot do this in one statement.
   */
  trigger?: (name: string, definer: string) => string;
}

/**
 * SQL statements that begin a transaction in which lists of objects do not wait for locked tables. The server leaves
 * out these tables and returns a warning for each. Otherwise an app could block Davit with a table that it locks for
 * ever.
 */
const WITHOUT_WAITING = ['START TRANSACTION;', 'DO (SELECT COUNT(*) FROM mysql.db);'];

const MYSQL_RIGHTS =
  'Select Insert Update Delete Create Drop Reload Shutdown Process File Grant References Index Alter Show_db Super ' +
  'Create_tmp_table Lock_tables Execute Repl_slave Repl_client Create_view Show_view Create_routine Alter_routine ' +
  'Create_user Event Trigger Create_tablespace Create_role Drop_role';

export const MYSQL_ACCOUNTS: AccountTable = {
  table: 'mysql.user',
  locked: ["account_locked = 'Y'", ...MYSQL_RIGHTS.split(' ').map((right) => `${right}_priv = 'N'`)].join(', '),
  roles: [
    'DELETE FROM mysql.role_edges;',
    'DELETE FROM mysql.default_roles;',
    `DELETE FROM mysql.global_grants WHERE CONCAT(user, '@', host) NOT IN (${list(OWN)});`,
  ],
  hasRole: (name) => `EXISTS (SELECT 1 FROM mysql.role_edges WHERE to_user = ${mysqlLiteral(name)})`,
};

export const MARIADB_ACCOUNTS: AccountTable = {
  table: 'mysql.global_priv',
  locked: "priv = JSON_SET(priv, '$.access', 0, '$.account_locked', true)",
  roles: [
    'DELETE FROM mysql.roles_mapping;',
    "DELETE FROM mysql.global_priv WHERE JSON_VALUE(priv, '$.is_role') = 1;",
    "UPDATE mysql.global_priv SET priv = JSON_REMOVE(priv, '$.default_role') WHERE JSON_EXISTS(priv, '$.default_role');",
  ],
  // In MariaDB every user has the role PUBLIC. The role exists after the first grant to it.
  hasRole: (name) => `EXISTS (SELECT 1 FROM mysql.roles_mapping WHERE user = ${mysqlLiteral(name)})
      OR EXISTS (SELECT 1 FROM mysql.global_priv WHERE user = 'PUBLIC')`,
  hasOther: ({ username, password }) =>
    `EXISTS (SELECT 1 FROM mysql.global_priv WHERE user = ${mysqlLiteral(username)} AND host = '%'
      AND (JSON_EXISTS(priv, '$.auth_or') OR NOT (JSON_VALUE(priv, '$.authentication_string') <=> PASSWORD(${mysqlLiteral(password)}))))`,
  // The database server builds and runs this statement itself, because a client could split the trigger's text at a
  // semicolon.
  trigger: (
    where,
    definer,
  ) => `${WITHOUT_WAITING.join(' ')} SET @text = (SELECT CONCAT('CREATE OR REPLACE DEFINER=', ${mysqlLiteral(definer)}, ' TRIGGER \`',
      REPLACE(trigger_schema, '\`', '\`\`'), '\`.\`', REPLACE(trigger_name, '\`', '\`\`'), '\` ', action_timing, ' ', event_manipulation,
      ' ON \`', REPLACE(event_object_schema, '\`', '\`\`'), '\`.\`', REPLACE(event_object_table, '\`', '\`\`'), '\` FOR EACH ROW ', action_statement)
    FROM information_schema.triggers WHERE ${where}); COMMIT; EXECUTE IMMEDIATE @text;`,
};

const isOfApps = (schema: string) => `${schema} NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')`;
const isAdmins = (definer: string, schema: string) => `${definer} IN (${list(OWN)}) AND ${isOfApps(schema)}`;

/**
 * Returns SQL statements that find logins with another password or with rights outside the app's database. Run these
 * statements before any change. Sessions of such logins must end, because a session keeps its old rights after a
 * change.
 */
export function findOutdated(
  { database }: DatabaseFacts,
  logins: readonly Login[],
  { table, hasRole, hasOther }: AccountTable,
): string[] {
  const own = list(ownPatterns(database));
  return logins.map((login, at) => {
    const { username } = login;
    const name = mysqlLiteral(username);
    const grantee = mysqlLiteral(`'${username}'@'%'`);
    return `SET @outdated_${at} = (
      EXISTS (SELECT 1 FROM information_schema.user_privileges WHERE privilege_type <> 'USAGE' AND grantee = ${grantee})
      OR EXISTS (SELECT 1 FROM ${table} WHERE user = '' OR user = ${name} AND host <> '%')
      OR EXISTS (SELECT 1 FROM mysql.db WHERE user = ${name} AND db NOT IN (${own}))
      OR EXISTS (SELECT 1 FROM mysql.proxies_priv WHERE user IN ('', ${name}))
      OR ${hasOther?.(login) ?? 'FALSE'}
      OR ${hasRole(username)});`;
  });
}

/**
 * Returns SQL statements that lock all accounts except these logins and the built-in ones, and remove their rights. The
 * last statement lists the connections to close, for `openConnections`. It follows the locks, because a client that
 * reconnects in a loop could connect before them.
 * @param logins logins that may connect, as passed to `findOutdated`
 */
export function endAccounts(
  { database }: DatabaseFacts,
  logins: readonly Login[],
  { table, locked, roles }: AccountTable,
): string[] {
  const names = logins.map(({ username }) => username);
  const known = `CONCAT(user, '@', host) IN (${list([...OWN, ...names.map((name) => `${name}@%`)])})`;
  const own = list(ownPatterns(database));
  // The reader `davit_reader` keeps its rights, because a backup may be running.
  const isReaders = "(user = 'davit_reader' AND db = 'mysql')";
  return [
    "SET SESSION sql_mode = '';",
    ...roles,
    // When a client signs in, the server prefers an anonymous account or an account with a specific host to `user@%`.
    // So remove such accounts.
    `DELETE FROM ${table} WHERE NOT ${known} AND user IN (${list(['', ...names])});`,
    `UPDATE ${table} SET ${locked} WHERE NOT ${known};`,
    ...['db', 'tables_priv', 'columns_priv', 'procs_priv'].map(
      (rights) =>
        `DELETE FROM mysql.${rights} WHERE db NOT IN (${own}) AND CONCAT(user, '@', host) NOT IN (${list(OWN.slice(0, -1))}) AND NOT ${isReaders};`,
    ),
    `DELETE FROM mysql.proxies_priv WHERE NOT (user = 'root' AND proxied_user = '');`,
    'DELETE FROM mysql.func;',
    'FLUSH PRIVILEGES;',
    listConnections(logins),
  ];
}

const IS_OWN = `p.user IN ('root', 'davit_reader', 'mysql', 'mariadb.sys', 'unauthenticated user') AND p.host REGEXP '^(localhost|127[.]0[.]0[.]1)?(:|$)'`;

/**
 * Returns an SQL statement that lists the connections to close, for `openConnections`.
 * @param logins logins that may connect, as passed to `findOutdated`
 */
function listConnections(logins: readonly Login[]): string {
  const mayStay = logins.map(({ username }, at) => `p.user = ${mysqlLiteral(username)} AND NOT @outdated_${at}`);
  return listWhere(`p.user NOT IN ('system user', 'event_scheduler')
      AND NOT (${IS_OWN})
      AND NOT (${['FALSE', ...mayStay].join(' OR ')})
      OR (p.user = 'davit_reader' AND p.state LIKE 'Waiting for %lock' AND p.time > ${MOST_WAITED_S})`);
}

/** Returns an SQL statement that lists the connections of an ended user, for `openConnections`. */
export function listConnectionsOf(username: string): string {
  return listWhere(`p.user = ${mysqlLiteral(username)} OR (p.user = 'unauthenticated user' AND NOT (${IS_OWN}))`);
}

/**
 * Returns an SQL statement that lists connections, including those that are still signing in. One statement lists both:
 * between two statements, a connection could finish its sign-in and be missing in both lists.
 */
function listWhere(condition: string): string {
  return `SELECT IF(p.user = 'unauthenticated user', 'connecting', 'connection'), p.id, ''
    FROM information_schema.processlist p WHERE ${condition};`;
}

/** Ids of connections in the output of `listConnections` or `listConnectionsOf`. */
export interface OpenConnections {
  signedIn: string[];
  connecting: string[];
}

export function openConnections(answer: string): OpenConnections {
  const lines = answer.split('\n').map((line) => line.split('\t'));
  const of = (kind: string) => lines.flatMap(([first, id = '']) => (first === kind && /^\d+$/.test(id) ? id : []));
  return { signedIn: of('connection'), connecting: of('connecting') };
}

/**
 * Returns SQL statements that list the views, routines, events and triggers that run with administrator rights. The
 * output contains names as hexadecimal digits, for `takeFromAdministrator`.
 */
export function listAdministrators(): string[] {
  const listed = (kind: string, from: string, schema: string, name: string, only: string) => [
    `SELECT '${kind}', HEX(${schema}), HEX(${name}) FROM information_schema.${from} WHERE ${isAdmins('definer', schema)}${only};`,
    'SHOW WARNINGS;',
  ];
  const routines = (kind: string, type: string) =>
    listed(
      kind,
      'routines',
      'routine_schema',
      'routine_name',
      ` AND security_type = 'DEFINER' AND routine_type = '${type}'`,
    );
  return [
    "SET SESSION sql_mode = '';",
    ...WITHOUT_WAITING,
    ...routines('routine', 'FUNCTION'),
    ...routines('procedure', 'PROCEDURE'),
    ...listed('view', 'views', 'table_schema', 'table_name', " AND security_type = 'DEFINER'"),
    ...listed('event', 'events', 'event_schema', 'event_name', " AND status <> 'DISABLED'"),
    ...listed('trigger', 'triggers', 'trigger_schema', 'trigger_name', ''),
    'COMMIT;',
  ];
}

/**
 * Returns SQL statements that take administrator rights from the objects that `listAdministrators` found.
 * @param definer account of the app, which becomes the definer of triggers
 */
export function takeFromAdministrator(answer: string, { trigger }: AccountTable, definer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    const [kind, first = '', second = ''] = line.split('\t');
    const [schema, name] = [text(first), text(second)];
    const target = `${mysqlIdentifier(schema)}.${mysqlIdentifier(name)}`;
    if (kind === 'routine') return `ALTER FUNCTION ${target} SQL SECURITY INVOKER;`;
    if (kind === 'procedure') return `ALTER PROCEDURE ${target} SQL SECURITY INVOKER;`;
    if (kind === 'event') return `ALTER EVENT ${target} DISABLE;`;
    if (kind === 'view') return invokersView(schema, name, target);
    if (kind === 'trigger')
      return (
        trigger?.(`trigger_schema = ${mysqlLiteral(schema)} AND trigger_name = ${mysqlLiteral(name)}`, definer) ?? []
      );
    return [];
  });
}

/**
 * Returns the server's warnings about locked tables that `listAdministrators` left out. Views and triggers of these
 * tables may still run with administrator rights.
 */
export function leftOut(answer: string): string[] {
  const said = answer.split('\n').flatMap((line) => /^Warning\t(?:1684|1205)\t(.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(said)];
}

function invokersView(schema: string, name: string, target: string): string {
  return `SET @text = (SELECT CONCAT(${mysqlLiteral(`ALTER SQL SECURITY INVOKER VIEW ${target} AS `)}, view_definition)
    FROM information_schema.views WHERE table_schema = ${mysqlLiteral(schema)} AND table_name = ${mysqlLiteral(name)});
    PREPARE changed FROM @text; EXECUTE changed;`;
}

/**
 * Returns the two forms of the database name under which grants are stored. Earlier Davit versions did not escape the
 * wildcard `_`.
 */
function ownPatterns(database: string | null): string[] {
  return [database ?? '', (database ?? '').replaceAll('_', '\\_')];
}

function text(hex: string): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}

function list(texts: readonly string[]): string {
  return texts.map(mysqlLiteral).join(', ');
}

export function mysqlIdentifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

export function mysqlLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
