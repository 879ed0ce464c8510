/**
 * Removes objects that an app created in MySQL or MariaDB with administrator permissions. Views, routines and triggers
 * get the permissions of the app, or are dropped.
 */
import type { DatabaseFacts, Login } from './dialect.ts';
import { GRANTED_ROWS, REMOVE_WHOLE_TABLE } from './mariadb-tls.ts';
import { listForeignConnections } from './mysql-connections.ts';
import { fromHex, mysqlIdentifier, mysqlList, mysqlLiteral, viewStatement } from './mysql-text.ts';

/**
 * Accounts that MySQL, MariaDB and their Docker images create. Only programs inside the container can connect with
 * these accounts.
 */
const OWN = [
  ...['root@localhost', 'root@127.0.0.1', 'mysql@localhost', 'mariadb.sys@localhost', 'mysql.sys@localhost'],
  ...['mysql.session@localhost', 'mysql.infoschema@localhost', 'davit_reader@127.0.0.1'],
];

/** System tables with the permissions of accounts for single databases. */
const PERMISSION_TABLES = ['db', 'tables_priv', 'columns_priv', 'procs_priv'] as const;
type PermissionTable = (typeof PERMISSION_TABLES)[number];

/** Name of the system table with the accounts and their global permissions. MySQL and MariaDB use different names. */
export interface AccountTable {
  table: string;
  /**
   * Column assignments for an SQL `UPDATE` of an account. The assignments lock the account and remove its global
   * permissions.
   */
  locked: string;
  /**
   * SQL statements that remove all roles that a login of an app may have created. The statements also remove other
   * permissions of this login.
   */
  roles: readonly string[];
  /** Returns an SQL condition that is true if a user has at least one role. */
  hasRole: (name: string) => string;
  /**
   * Returns an SQL condition that is true if the password of a login differs from the stored password. The function is
   * absent if the server cannot compare passwords.
   */
  hasOther?: (login: Login) => string;
  /**
   * SQL conditions for each system table. A login keeps the permissions outside its own database that match a
   * condition.
   */
  granted: Readonly<Partial<Record<PermissionTable, string>>>;
  /**
   * Returns SQL statements that change the `DEFINER` (owner) of a routine. The function is absent for MySQL, because
   * its client could split the text of the routine. Davit then drops the routine.
   */
  routine?: (found: Leftover, definer: string) => string[];
  /**
   * Returns SQL statements that change the `DEFINER` (owner) of a trigger. The function is absent for MySQL, because
   * its client could split the text of the trigger. Davit then drops the trigger.
   */
  trigger?: (found: Leftover, definer: string) => string[];
  replication: Replication;
}

/**
 * SQL statements for the replication of other servers. The statements of MariaDB and MySQL are different. `list` lists
 * the replication connections, and `end` stops one of them.
 */
interface Replication {
  list: string;
  /**
   * Returns the names of the replication connections.
   * @param lines output of the SQL statement `list`
   */
  names: (lines: readonly string[]) => string[];
  end: (name: string) => string[];
}

/**
 * Kinds of objects that can have administrator permissions. The first seven kinds run with the permissions of their
 * `DEFINER` (owner). The names of the kinds are used in `DROP` statements.
 */
const KINDS = [
  ...(['FUNCTION', 'PROCEDURE', 'PACKAGE', 'PACKAGE BODY', 'VIEW', 'EVENT', 'TRIGGER'] as const),
  ...(['UDF', 'PLUGIN', 'REPLICATION'] as const),
];

/**
 * Object that has administrator permissions, such as a view or plugin. An app created the object while its login had
 * administrator permissions.
 */
export interface Leftover {
  kind: (typeof KINDS)[number];
  /**
   * Database that contains the view, routine or other object. If the object belongs to the whole server, the string is
   * empty.
   */
  schema: string;
  name: string;
}

/**
 * SQL statements that run before queries of `information_schema`. With these statements, the server does not wait for
 * locked tables. The server skips locked tables and reports a warning.
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
    /*
     * Reset all server settings and `mandatory_roles`, because an app with administrator permissions may have changed
     * the settings.
     */
    'RESET PERSIST;',
    "SET GLOBAL mandatory_roles = '';",
    `DELETE FROM mysql.global_grants WHERE CONCAT(user, '@', host) NOT IN (${mysqlList(OWN)});`,
  ],
  hasRole: (name) => `EXISTS (SELECT 1 FROM mysql.role_edges WHERE to_user = ${mysqlLiteral(name)})
      OR @@GLOBAL.mandatory_roles <> ''`,
  granted: {},
  replication: {
    list: "SELECT HEX(channel_name), 'channel' FROM performance_schema.replication_connection_configuration;",
    names: (lines) => lines.map((line) => fromHex(line.split('\t')[0] ?? '')),
    end: (name) => [
      `STOP REPLICA FOR CHANNEL ${mysqlLiteral(name)};`,
      `RESET REPLICA ALL FOR CHANNEL ${mysqlLiteral(name)};`,
    ],
  },
};

export const MARIADB_ACCOUNTS: AccountTable = {
  table: 'mysql.global_priv',
  locked: "priv = JSON_SET(priv, '$.access', 0, '$.account_locked', true)",
  roles: [
    'DELETE FROM mysql.roles_mapping;',
    "DELETE FROM mysql.global_priv WHERE JSON_VALUE(priv, '$.is_role') = 1;",
    "UPDATE mysql.global_priv SET priv = JSON_REMOVE(priv, '$.default_role') WHERE JSON_EXISTS(priv, '$.default_role');",
    REMOVE_WHOLE_TABLE,
  ],
  /*
   * Also check the role PUBLIC, because every MariaDB user has this role. The role exists only if a user has granted
   * permissions to it.
   */
  hasRole: (name) => `EXISTS (SELECT 1 FROM mysql.roles_mapping WHERE user = ${mysqlLiteral(name)})
      OR EXISTS (SELECT 1 FROM mysql.global_priv WHERE user = 'PUBLIC')`,
  hasOther: ({ username, password }) =>
    `EXISTS (SELECT 1 FROM mysql.global_priv WHERE user = ${mysqlLiteral(username)} AND host = '%'
      AND (JSON_EXISTS(priv, '$.auth_or') OR NOT (JSON_VALUE(priv, '$.authentication_string') <=> PASSWORD(${mysqlLiteral(password)}))))`,
  granted: GRANTED_ROWS,
  /*
   * Build the `CREATE TRIGGER` statement in the server, because a client could split the text of the trigger at a
   * semicolon.
   */
  trigger: ({ schema, name }, definer) => [
    ...WITHOUT_WAITING,
    `SELECT sql_mode, CONCAT('CREATE OR REPLACE DEFINER=', ${mysqlLiteral(definer)}, ' TRIGGER \`',
      REPLACE(trigger_schema, '\`', '\`\`'), '\`.\`', REPLACE(trigger_name, '\`', '\`\`'), '\` ', action_timing, ' ', event_manipulation,
      ' ON \`', REPLACE(event_object_schema, '\`', '\`\`'), '\`.\`', REPLACE(event_object_table, '\`', '\`\`'), '\` FOR EACH ROW ', action_statement)
      INTO @mode, @text
    FROM information_schema.triggers WHERE trigger_schema = ${mysqlLiteral(schema)} AND trigger_name = ${mysqlLiteral(name)};`,
    'COMMIT;',
    'SET SESSION sql_mode = @mode;',
    'EXECUTE IMMEDIATE @text;',
    "SET SESSION sql_mode = '';",
  ],
  routine: ({ kind, schema, name }, definer) => [
    /*
     * Change the `DEFINER` (owner) directly in the system table. The text, settings and permissions of the routine then
     * stay the same.
     */
    `UPDATE mysql.proc SET definer = ${mysqlLiteral(definer)}, created = created, modified = modified
      WHERE db = ${mysqlLiteral(schema)} AND name = ${mysqlLiteral(name)} AND type = '${kind}';`,
    // Clear the server's cache of stored routines. Otherwise, open sessions would still use the old `DEFINER` (owner).
    'CREATE OR REPLACE PROCEDURE mysql.davit_changed() SQL SECURITY INVOKER DO 0;',
    'DROP PROCEDURE mysql.davit_changed;',
  ],
  replication: {
    list: 'SHOW ALL SLAVES STATUS;',
    names: (lines) => lines.map((line) => withoutEscapes(line.split('\t')[0] ?? '')),
    end: (name) => [`STOP SLAVE ${mysqlLiteral(name)};`, `RESET SLAVE ${mysqlLiteral(name)} ALL;`],
  },
};

/**
 * Plugins of storage engines that store tables in the data folder. These plugins are not removed, because tables cannot
 * be read without their storage engine.
 */
const ENGINES = ['ha_archive.so', 'ha_blackhole.so', 'ha_rocksdb.so'];

const isOfApps = (schema: string) => `${schema} NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')`;
const isAdmins = `definer IN (${mysqlList(OWN)})`;

/**
 * Returns SQL statements that find logins with a wrong password or with too many permissions. Run these statements
 * before Davit corrects the logins.
 */
export function findOutdated(
  { database }: DatabaseFacts,
  logins: readonly Login[],
  { table, hasRole, hasOther }: AccountTable,
): string[] {
  const own = mysqlList(ownPatterns(database));
  // Davit must also close the open sessions of these logins, because an open session keeps its old permissions.
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
 * Returns SQL statements that lock all accounts that are not in `logins` and remove their permissions. The last
 * statement lists the connections that must be closed.
 */
export function endAccounts(
  { database }: DatabaseFacts,
  logins: readonly Login[],
  { table, locked, roles, granted }: AccountTable,
): string[] {
  const names = logins.map(({ username }) => username);
  const accounts = names.map((name) => `${name}@%`);
  const known = `CONCAT(user, '@', host) IN (${mysqlList([...OWN, ...accounts])})`;
  const own = mysqlList(ownPatterns(database));
  // Keep the permissions of `davit_reader`, because a running backup may use this login.
  const isReaders = "(user = 'davit_reader' AND db = 'mysql')";
  return [
    "SET SESSION sql_mode = '';",
    ...roles,
    /*
     * Delete accounts without a user name. Also delete accounts that have the user name of a login but are limited to
     * one host. For some clients, the server would use such an account instead of the login.
     */
    `DELETE FROM ${table} WHERE NOT ${known} AND user IN (${mysqlList(['', ...names])});`,
    `UPDATE ${table} SET ${locked} WHERE NOT ${known};`,
    ...PERMISSION_TABLES.map(
      (rights) =>
        `DELETE FROM mysql.${rights} WHERE db NOT IN (${own}) AND CONCAT(user, '@', host) NOT IN (${mysqlList(OWN.slice(0, -1))}) AND NOT ${isReaders}${kept(granted[rights], accounts)};`,
    ),
    `DELETE FROM mysql.proxies_priv WHERE NOT (user = 'root' AND proxied_user = '');`,
    'DELETE FROM mysql.servers;',
    'FLUSH PRIVILEGES;',
    listForeignConnections(logins),
  ];
}

/** @param granted condition for permissions that the accounts may keep */
function kept(granted: string | undefined, accounts: readonly string[]): string {
  if (granted === undefined || accounts.length === 0) return '';
  return ` AND NOT (${granted} AND CONCAT(user, '@', host) IN (${mysqlList(accounts)}))`;
}

/**
 * Separator line in the output of `listAdministrators`. Objects such as views are listed before the line, and
 * replication connections after the line.
 */
const REPLICATION = 'replication:';

/**
 * Returns SQL statements that list objects with administrator permissions, such as views. The names in the output are
 * hexadecimal, and `leftoversIn` decodes them.
 */
export function listAdministrators({ replication }: AccountTable): string[] {
  const listed = (kind: string, from: string, schema: string, name: string, only: string) => [
    `SELECT ${kind}, HEX(${schema}), HEX(${name}) FROM information_schema.${from} WHERE ${isAdmins}${only};`,
    'SHOW WARNINGS;',
  ];
  return [
    "SET SESSION sql_mode = '';",
    ...WITHOUT_WAITING,
    // Skip system databases, because apps cannot use the routines, views and triggers in system databases.
    ...listed('routine_type', 'routines', 'routine_schema', 'routine_name', ` AND ${isOfApps('routine_schema')}`),
    ...listed("'VIEW'", 'views', 'table_schema', 'table_name', ` AND ${isOfApps('table_schema')}`),
    // Include the events of all databases, because the server starts events automatically.
    ...listed("'EVENT'", 'events', 'event_schema', 'event_name', ''),
    ...listed("'TRIGGER'", 'triggers', 'trigger_schema', 'trigger_name', ` AND ${isOfApps('trigger_schema')}`),
    "SELECT 'UDF', '', HEX(name) FROM mysql.func;",
    `SELECT 'PLUGIN', '', HEX(name) FROM mysql.plugin WHERE dl NOT IN (${mysqlList(ENGINES)});`,
    'COMMIT;',
    `SELECT '${REPLICATION}';`,
    replication.list,
  ];
}

/**
 * Parses the output of `listAdministrators`. Returns the views, triggers and other objects that still have
 * administrator permissions.
 */
export function leftoversIn(answer: string, { replication }: AccountTable): Leftover[] {
  const lines = answer.split('\n');
  const end = lines.indexOf(REPLICATION);
  const objects = lines.slice(0, end < 0 ? lines.length : end).flatMap((line) => {
    const [first, schema = '', name = ''] = line.split('\t');
    const kind = KINDS.find((one) => one === first);
    return kind === undefined ? [] : { kind, schema: fromHex(schema), name: fromHex(name) };
  });
  const rest = end < 0 ? [] : lines.slice(end + 1).filter((line) => line !== '');
  const connections = replication.names(rest).map((name) => ({ kind: 'REPLICATION' as const, schema: '', name }));
  return [...objects, ...connections];
}

/**
 * Returns SQL statements after which objects such as views run with the permissions of the login `definer`. The output
 * can contain warnings about locked objects, which `leftOut` finds.
 */
export function takeFromAdministrator(
  found: readonly Leftover[],
  { routine, trigger, replication }: AccountTable,
  definer: string,
): string[] {
  const account = `${definer}@%`;
  const quoted = `${mysqlLiteral(definer)}@'%'`;
  const changes = (one: Leftover): string[] | undefined => {
    if (one.kind === 'VIEW') return viewOf(one, quoted);
    if (one.kind === 'EVENT') return [`ALTER DEFINER=${quoted} EVENT ${target(one)} DISABLE;`];
    if (one.kind === 'TRIGGER') return trigger?.(one, quoted);
    if (one.kind === 'REPLICATION') return replication.end(one.name);
    if (one.kind === 'UDF') return unloaded(`DROP FUNCTION ${target(one)};`, 'mysql.func', one);
    if (one.kind === 'PLUGIN') return unloaded(`UNINSTALL PLUGIN ${target(one)};`, 'mysql.plugin', one);
    return routine?.(one, account);
  };
  return found.flatMap((one) => (changes(one) ?? []).flatMap((statement) => [statement, 'SHOW WARNINGS;']));
}

/**
 * Returns SQL statements that unload a library and then delete its row. Both statements are necessary, because the
 * first statement fails if the library is not loaded.
 */
function unloaded(statement: string, table: string, { name }: Leftover): string[] {
  return [statement, `DELETE FROM ${table} WHERE name = ${mysqlLiteral(name)};`];
}

/**
 * Returns an SQL statement that drops an object such as a view. It is used if Davit cannot change the `DEFINER` (owner)
 * of the object.
 */
export function dropLeftover(lost: Leftover): string {
  return `DROP ${lost.kind} IF EXISTS ${target(lost)};`;
}

export function leftoverName({ kind, schema, name }: Leftover): string {
  return `${kind.toLowerCase()} ${schema === '' ? name : `${schema}.${name}`}`;
}

/** Returns the server's warnings about locked objects. These objects may still have administrator permissions. */
export function leftOut(answer: string): string[] {
  const said = answer.split('\n').flatMap((line) => /^(?:Warning|Error)\t(?:1684|1205)\t(.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(said)];
}

function viewOf(view: Leftover, definer: string): string[] {
  const where = `table_schema = ${mysqlLiteral(view.schema)} AND table_name = ${mysqlLiteral(view.name)}`;
  return [
    `SET @text = (SELECT ${viewStatement(`ALTER DEFINER=${definer}`)} FROM information_schema.views WHERE ${where});`,
    'PREPARE changed FROM @text;',
    'EXECUTE changed;',
  ];
}

function target({ schema, name }: Leftover): string {
  return schema === '' ? mysqlIdentifier(name) : `${mysqlIdentifier(schema)}.${mysqlIdentifier(name)}`;
}

/** Decodes a value from the output of the `mariadb` client program, which escapes line breaks, tabs and backslashes. */
function withoutEscapes(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, letter: string) => ({ n: '\n', t: '\t', 0: '\0' })[letter] ?? letter);
}

/**
 * Returns two forms of a database name: the name itself, and the name with an escaped `_`. In `GRANT` statements, `_`
 * is a wildcard, and earlier Davit versions did not escape it.
 */
function ownPatterns(database: string | null): string[] {
  return [database ?? '', (database ?? '').replaceAll('_', '\\_')];
}
