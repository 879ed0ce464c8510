/**
 * Removes accounts, roles and permissions that a login with administrator permissions may have created in MySQL or
 * MariaDB. Objects of the app stay, but no longer run with the permissions of the administrator.
 */
import type { DatabaseFacts, Login } from './dialect.ts';

/**
 * Accounts that MySQL, MariaDB and their Docker images create. These accounts can connect only from inside the
 * container.
 */
const OWN = [
  ...['root@localhost', 'root@127.0.0.1', 'mysql@localhost', 'mariadb.sys@localhost', 'mysql.sys@localhost'],
  ...['mysql.session@localhost', 'mysql.infoschema@localhost', 'davit_reader@127.0.0.1'],
];

/**
 * Time in seconds after which MySQL closes a `davit_reader` connection that waits for a lock. A backup stops waiting
 * for locks earlier.
 */
const MOST_WAITED_S = 20 * 60;

/**
 * Name of the system table with accounts and their server permissions. The name differs between MySQL and MariaDB.
 */
export interface AccountTable {
  table: string;
  /** Assignments of an SQL `UPDATE` that lock an account and remove its server permissions. */
  locked: string;
  /** SQL statements that remove all roles that an app login may have created. */
  roles: readonly string[];
  /** Returns an SQL condition that is true if a user has any role. */
  hasRole: (name: string) => string;
  /**
   * Returns an SQL condition that is true if the server has a different password for this login. Absent if the server
   * cannot compare passwords.
   */
  hasOther?: (login: Login) => string;
  /**
   * Returns SQL statements that change the `DEFINER` of a trigger. Absent if the server cannot do this in one
   * statement.
   */
  trigger?: (name: string, definer: string) => string;
}

/**
 * SQL statements that begin a transaction in which queries of `information_schema` do not wait for locked tables. The
 * server omits these tables and returns a warning for each. Without this setting, a locked table of an app could
 * block Davit for ever.
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
  // In MariaDB every user has the role PUBLIC. MariaDB creates the role at the first `GRANT … TO PUBLIC`.
  hasRole: (name) => `EXISTS (SELECT 1 FROM mysql.roles_mapping WHERE user = ${mysqlLiteral(name)})
      OR EXISTS (SELECT 1 FROM mysql.global_priv WHERE user = 'PUBLIC')`,
  hasOther: ({ username, password }) =>
    `EXISTS (SELECT 1 FROM mysql.global_priv WHERE user = ${mysqlLiteral(username)} AND host = '%'
      AND (JSON_EXISTS(priv, '$.auth_or') OR NOT (JSON_VALUE(priv, '$.authentication_string') <=> PASSWORD(${mysqlLiteral(password)}))))`,
  // The database server itself builds and runs this statement. A client could split the text of the trigger at a
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
 * Returns SQL statements that find logins with a wrong password or with permissions outside the app's database. Run
 * these statements before any change. Davit must close the sessions of such logins, because a session keeps its old
 * permissions after a change.
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
 * Returns SQL statements that lock all accounts except these logins and the accounts of the server. They also remove
 * the permissions of the locked accounts. The last statement lists the connections that `openConnections` must close.
 * It runs after the locks, because a client that reconnects in a loop could otherwise connect again.
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
  // Keep the permissions of `davit_reader`, because a backup that runs now may use this login.
  const isReaders = "(user = 'davit_reader' AND db = 'mysql')";
  return [
    "SET SESSION sql_mode = '';",
    ...roles,
    // Remove anonymous accounts and accounts with a specific host. At sign-in, the server would use such an account
    // instead of `user@%`.
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
 * Returns an SQL statement that lists the connections to close. `openConnections` reads its output.
 * @param logins logins that may connect, as passed to `findOutdated`
 */
function listConnections(logins: readonly Login[]): string {
  const mayStay = logins.map(({ username }, at) => `p.user = ${mysqlLiteral(username)} AND NOT @outdated_${at}`);
  return listWhere(`p.user NOT IN ('system user', 'event_scheduler')
      AND NOT (${IS_OWN})
      AND NOT (${['FALSE', ...mayStay].join(' OR ')})
      OR (p.user = 'davit_reader' AND p.state LIKE 'Waiting for %lock' AND p.time > ${MOST_WAITED_S})`);
}

/** Returns an SQL statement that lists the connections of a disabled user. `openConnections` reads its output. */
export function listConnectionsOf(username: string): string {
  return listWhere(`p.user = ${mysqlLiteral(username)} OR (p.user = 'unauthenticated user' AND NOT (${IS_OWN}))`);
}

/**
 * Returns an SQL statement that lists all connections, including clients that are still signing in. With two
 * statements, a client could finish its sign-in between them and be missing in both lists.
 */
function listWhere(condition: string): string {
  return `SELECT IF(p.user = 'unauthenticated user', 'connecting', 'connection'), p.id, ''
    FROM information_schema.processlist p WHERE ${condition};`;
}

/** Ids of the connections that the SQL statements of `listConnections` or `listConnectionsOf` listed. */
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
 * Returns SQL statements that list the views, routines, events and triggers that run with administrator permissions.
 * `takeFromAdministrator` reads the names, which the output contains as hexadecimal digits.
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
 * Returns SQL statements after which the objects that `listAdministrators` found no longer run with administrator
 * permissions.
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
 * Returns the server's warnings about locked tables that `listAdministrators` omitted. Views and triggers of these
 * tables may still run with administrator permissions.
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
 * Returns the two spellings of the database name that grants may contain. Earlier Davit versions did not escape the
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
