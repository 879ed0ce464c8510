/**
 * Removes changes that an app made with superuser permissions in PostgreSQL. After such changes, only a restore into a
 * new server is completely safe. See decision 29.
 */
import { randomBytes } from 'node:crypto';
import { ADMIN } from './dialect.ts';
import { OWNER_COLUMNS, type OwningCatalog } from './postgres-owners.ts';
import { endHolders, OWNER, postgresLiteral, READER, RESTORER } from './postgres-session.ts';

/** Lowest object id of user objects. PostgreSQL reserves lower ids for its own objects. */
const FIRST = "'16384'::oid";
const PLATFORM = [ADMIN, OWNER, READER, RESTORER];
const list = (names: readonly string[]) => names.map(postgresLiteral).join(', ');
const ADMIN_ID = `'${ADMIN}'::regrole`;

/**
 * Returns an SQL condition for predefined roles of PostgreSQL. The role `pg_database_owner` is excluded, because apps
 * own databases.
 * @param role SQL expression for the object id of the role
 */
const isPredefined = (role: string) =>
  `(${role} < ${FIRST} AND ${role} NOT IN (${ADMIN_ID}, 'pg_database_owner'::regrole))`;

/**
 * Returns an SQL condition for objects of an extension. After a restore, the superuser owns these objects, because
 * `CREATE EXTENSION` creates them.
 */
const ofExtension = (catalog: string, id: string) =>
  `EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = ${id} AND d.deptype = 'e')`;

/**
 * SQL condition for memberships of the role `u` in the role `g` that give permissions outside the data of the app.
 * Memberships that PostgreSQL or Davit created are excluded.
 */
const LEADS_OUT = `(g.rolname IN (${list([ADMIN, READER, RESTORER])}) OR g.oid < ${FIRST}) AND u.rolname <> '${ADMIN}'
  AND NOT (u.rolname = 'pg_monitor' AND g.rolname IN ('pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables'))
  AND NOT (g.rolname = 'pg_read_all_data' AND u.rolname = '${READER}')`;
const MEMBERSHIPS = `pg_auth_members m JOIN pg_authid g ON g.oid = m.roleid JOIN pg_authid u ON u.oid = m.member
  LEFT JOIN pg_authid b ON b.oid = m.grantor`;

/**
 * Returns an SQL condition for stored settings that the owner of a database may change. PostgreSQL applies stored
 * settings as superuser, and some settings load a library.
 * @param name SQL expression for the name of the setting
 */
export function isOwnersSetting(name: string): string {
  /*
   * The part of the name before the dot is the name of a library. If this library is not installed, PostgreSQL ignores
   * the setting.
   */
  return `(${name} = 'role' OR EXISTS (SELECT FROM pg_settings k WHERE lower(k.name) = lower(${name}) AND k.context = 'user')
    OR (position('.' in ${name}) > 0 AND NOT EXISTS (SELECT FROM pg_settings k WHERE lower(k.name) = lower(${name}))
      AND lower(split_part(${name}, '.', 1)) NOT IN (SELECT regexp_replace(file, '[.]so$', '')
        FROM pg_config c, pg_ls_dir(c.setting) file WHERE c.name = 'PKGLIBDIR')))`;
}

/**
 * SQL condition for a setting `name=value` that an app may change with `ALTER DATABASE` or `ALTER ROLE` for its own
 * database or role.
 */
const STORED = isOwnersSetting("split_part(one, '=', 1)");

/**
 * `FROM` and `WHERE` clauses of a query for settings in `postgresql.auto.conf` that have a string value. Only a string
 * can contain the name of a program, library or file.
 */
const SYSTEM_SETTINGS = `pg_file_settings f LEFT JOIN pg_settings s ON lower(s.name) = lower(f.name)
  WHERE f.sourcefile ~ 'postgresql[.]auto[.]conf$' AND coalesce(s.vartype, 'string') = 'string'`;

/**
 * Returns SQL statements that report the changes of an app with superuser permissions as JSON lines. Run these
 * statements before the statements that undo the changes.
 */
export function findings(logins: readonly string[]): string[] {
  return [
    `CREATE TEMP TABLE pg_temp.found AS SELECT 'role ' || r.rolname AS what FROM pg_authid r WHERE r.rolname <> '${ADMIN}' AND (
        r.rolsuper OR r.rolcreaterole OR r.rolreplication OR (r.rolbypassrls AND r.rolname <> '${READER}')
        OR (r.rolcanlogin AND r.rolname NOT IN (${list([...PLATFORM, ...logins])})))
      UNION ALL SELECT 'member ' || u.rolname || ' of ' || g.rolname FROM ${MEMBERSHIPS} WHERE ${LEADS_OUT}
      UNION ALL SELECT 'setting ' || split_part(one, '=', 1) FROM pg_db_role_setting, unnest(setconfig) one WHERE NOT ${STORED}
      UNION ALL SELECT 'system setting ' || f.name FROM ${SYSTEM_SETTINGS}
      UNION ALL SELECT 'subscription ' || subname FROM pg_subscription WHERE subenabled;`,
    "SELECT json_build_object('found', what) FROM found;",
  ];
}

/**
 * Returns SQL statements that revoke permissions which an app granted as superuser. Run these statements after
 * `findings` and before new permissions are granted.
 */
export function endRights(logins: readonly string[], database: string): string[] {
  const known = list([...PLATFORM, ...logins]);
  const flags = ['super', 'createrole', 'createdb', 'replication', 'bypassrls', 'canlogin'].map((one) => `rol${one}`);
  return [
    `UPDATE pg_authid SET ${flags.map((flag) => `${flag} = false`).join(', ')}
      WHERE rolname NOT IN (${known}) AND (${flags.join(' OR ')});`,
    `SELECT format('REVOKE %I FROM %I%s CASCADE', g.rolname, u.rolname, coalesce(format(' GRANTED BY %I', b.rolname), ''))
      FROM ${MEMBERSHIPS} WHERE ${LEADS_OUT} OR (u.rolname = '${OWNER}' AND g.rolname IN (${known}))\\gexec`,
    `DELETE FROM pg_db_role_setting WHERE setrole IN (SELECT oid FROM pg_authid WHERE rolname IN (${list(PLATFORM)}));`,
    `UPDATE pg_db_role_setting SET setconfig = ARRAY(SELECT one FROM unnest(setconfig) WITH ORDINALITY l (one, n)
        WHERE ${STORED} ORDER BY n)
      WHERE EXISTS (SELECT FROM unnest(setconfig) one WHERE NOT ${STORED});`,
    'DELETE FROM pg_db_role_setting WHERE cardinality(setconfig) = 0;',
    `SELECT format('REVOKE ALL ON PARAMETER %I FROM %s CASCADE', p.parname, ${grantee('a')})
      FROM pg_parameter_acl p, aclexplode(p.paracl) a WHERE a.grantee <> ${ADMIN_ID}\\gexec`,
    `SELECT 'ALTER SYSTEM RESET ALL' WHERE EXISTS (SELECT FROM ${SYSTEM_SETTINGS})\\gexec`,
    'SELECT pg_reload_conf();',
    'UPDATE pg_subscription SET subenabled = false WHERE subenabled;',
    `SELECT format('ALTER DATABASE %I OWNER TO ${ADMIN}', datname) FROM pg_database
      WHERE datname IN ('postgres', 'template0', 'template1') AND datname <> ${postgresLiteral(database)} AND datdba <> ${ADMIN_ID}\\gexec`,
    /*
     * Revoke access to the databases `postgres` and `template1`. Otherwise, a login could create objects in these
     * databases, and Davit could not remove the login.
     */
    `SELECT format('REVOKE ALL ON DATABASE %I FROM %s CASCADE', datname, ${grantee('a')})
      FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) a
      WHERE datname IN ('postgres', 'template1') AND datname <> ${postgresLiteral(database)} AND a.grantee <> ${ADMIN_ID}\\gexec`,
  ];
}

/**
 * Returns SQL statements that end sessions with outdated permissions. A PostgreSQL session keeps its permissions until
 * the session ends.
 */
export function endSessions(logins: readonly string[]): string[] {
  const known = list([...PLATFORM, ...logins]);
  return [
    /*
     * End network sessions of Davit's roles. Apps opened these sessions, because Davit connects only over the Unix
     * socket.
     */
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL
      AND (usename NOT IN (${known}) OR (usename IN (${list(PLATFORM)}) AND client_addr IS NOT NULL)
        OR (usename NOT IN (${list(PLATFORM)}) AND EXISTS (SELECT FROM pg_temp.found)));`,
  ];
}

/** Returns SQL statements that list all databases as JSON lines and allow connections to each database. */
export function openDatabases(): string[] {
  return [
    ...endHolders(),
    /*
     * Allow connections to all databases, because Davit must also connect to databases whose owner has forbidden
     * connections.
     */
    `SELECT format('ALTER DATABASE %I ALLOW_CONNECTIONS true', datname) FROM pg_database
      WHERE NOT datallowconn AND datname <> 'template0'\\gexec`,
    "SELECT json_build_object('database', datname) FROM pg_database WHERE datallowconn AND datconnlimit >= -1 ORDER BY datname;",
  ];
}

/**
 * Returns an SQL condition for objects whose owner has more permissions than an app. Objects of extensions are excluded
 * if Davit's administrator created them.
 */
const isAbove = (catalog: OwningCatalog, id: string, owner: string) =>
  `${id} >= ${FIRST} AND (${isPredefined(owner)} OR (NOT ${ofExtension(catalog, id)}
    AND ${owner} IN (${ADMIN_ID}, '${READER}'::regrole, '${RESTORER}'::regrole)))`;

/**
 * Functions, views and tables that run code with the permissions of their owner. Only objects whose owner has more
 * permissions than the app are included. Other objects run code with the permissions of the current user or the table
 * owner.
 */
const MOVED = `(SELECT 'TABLE ' || c.oid::regclass AS target, c.relowner AS owner FROM pg_class c
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't' AND ${isAbove('pg_class', 'c.oid', 'c.relowner')}
  UNION ALL SELECT 'ROUTINE ' || p.oid::regprocedure, p.proowner FROM pg_proc p
    WHERE ${isAbove('pg_proc', 'p.oid', 'p.proowner')}) o`;

/**
 * SQL condition for foreign-data wrappers (`w`) that may read files or run programs. `postgres_fdw` is excluded,
 * because it is safe. Wrappers without a handler are excluded, because they cannot read data.
 */
const READS_SERVER = `w.fdwhandler <> 0 AND 2 > (SELECT count(*) FROM pg_proc p WHERE p.probin = '$libdir/postgres_fdw'
  AND (p.oid, p.prosrc) IN ((w.fdwhandler, 'postgres_fdw_handler'), (w.fdwvalidator, 'postgres_fdw_validator')))`;

/**
 * `FROM` and `WHERE` clauses of a query for functions with access to the operating system, such as C functions.
 * Functions of PostgreSQL and of extensions are excluded.
 */
const OUTSIDE = `pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE p.oid >= ${FIRST} AND p.prokind <> 'a' AND NOT l.lanpltrusted AND NOT ${ofExtension('pg_proc', 'p.oid')}
    AND NOT (l.lanname = 'internal' AND p.prosrc ~ '^(multi)?range_constructor[0-3]$')`;

/**
 * `FROM` clause of a query for permissions (`e`) on objects of the server or of an extension. Only permissions that
 * were granted after the installation are included.
 */
const GIVEN = `(SELECT 'pg_proc'::regclass AS class, p.oid, 0 AS part, p.proacl AS acl, acldefault('f', p.proowner) AS first,
      'ROUTINE ' || p.oid::regprocedure AS target, '' AS columns FROM pg_proc p
      WHERE p.proowner = ${ADMIN_ID} AND (p.oid < ${FIRST} OR ${ofExtension('pg_proc', 'p.oid')})
    UNION ALL SELECT 'pg_class'::regclass, c.oid, 0, c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner),
      CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || c.oid::regclass, '' FROM pg_class c
      WHERE c.relowner = ${ADMIN_ID} AND c.oid < ${FIRST} AND c.relkind IN ('r', 'v', 'S')
        AND c.relnamespace <> 'information_schema'::regnamespace
    UNION ALL SELECT 'pg_class'::regclass, a.attrelid, a.attnum, a.attacl, NULL, 'TABLE ' || a.attrelid::regclass,
      format('(%I)', a.attname) FROM pg_attribute a WHERE a.attrelid < ${FIRST}
    UNION ALL SELECT 'pg_namespace'::regclass, n.oid, 0, n.nspacl, acldefault('n', n.nspowner), 'SCHEMA ' || n.oid::regnamespace, ''
      FROM pg_namespace n WHERE n.nspname IN ('pg_catalog', 'pg_toast')
  ) o, aclexplode(o.acl) e
  WHERE e.grantee <> ${ADMIN_ID} AND NOT EXISTS (SELECT FROM aclexplode(coalesce((SELECT i.initprivs FROM pg_init_privs i
    WHERE i.classoid = o.class AND i.objoid = o.oid AND i.objsubid = o.part), o.first)) b
    WHERE b.grantee = e.grantee AND b.privilege_type = e.privilege_type)`;

/**
 * PostgreSQL system tables for functions and operators. Each array contains the name of a table and the name of its
 * schema column.
 */
const NAMED = [
  ['pg_proc', 'pronamespace'],
  ['pg_operator', 'oprnamespace'],
] as const;

/**
 * PostgreSQL system tables with their owner columns. The tables list functions, types and other objects, both of apps
 * and of PostgreSQL itself.
 */
const OWNED = (
  ['pg_proc', 'pg_class', 'pg_namespace', 'pg_type', 'pg_operator', 'pg_language', 'pg_opclass', 'pg_opfamily'] as const
).map((catalog) => [catalog, OWNER_COLUMNS[catalog]] as const);

const isPlanted = (catalog: string, schema: string) =>
  `${schema} = 'pg_catalog'::regnamespace::oid AND oid >= ${FIRST} AND NOT ${ofExtension(catalog, `${catalog}.oid`)}`;

/**
 * Returns SQL statements that must run first in a session. Event triggers and replaced operators could otherwise run
 * code of an app.
 */
export function putAside(): string[] {
  const aside = `davit_${randomBytes(8).toString('hex')}`;
  // These statements must not use objects that an app could have replaced.
  return [
    `UPDATE pg_event_trigger SET evtenabled = 'D', evtowner = ${ADMIN_ID} WHERE evtenabled <> 'D' OR evtowner <> ${ADMIN_ID}
      RETURNING '{"found":"an event trigger"}';`,
    `CREATE SCHEMA ${aside};`,
    ...NAMED.map(
      ([
        catalog,
        schema,
      ]) => `UPDATE ${catalog} SET ${schema} = '${aside}'::regnamespace::oid WHERE ${isPlanted(catalog, schema)}
      RETURNING '{"found":"a function or an operator in pg_catalog"}';`,
    ),
    `UPDATE pg_cast SET castcontext = 'e' WHERE castcontext <> 'e' AND oid >= ${FIRST} AND castfunc >= ${FIRST}
      AND castsource < ${FIRST} AND casttarget < ${FIRST} RETURNING '{"found":"a cast between types of the server"}';`,
    ...OWNED.map(
      ([catalog, owner]) => `UPDATE ${catalog} SET ${owner} = ${ADMIN_ID}
      WHERE oid < ${FIRST} AND oid <> 'public'::regnamespace AND ${owner} <> ${ADMIN_ID} AND ${owner} >= ${FIRST} RETURNING '{"found":"an owner of pg_catalog"}';`,
    ),
    /*
     * Delete wrong owners of PostgreSQL's own objects. Otherwise, `REASSIGN OWNED` would give these objects to another
     * role.
     */
    `DELETE FROM pg_shdepend WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND deptype = 'o'
      AND refobjid <> ${ADMIN_ID} AND (classid = 'pg_event_trigger'::regclass OR objid < ${FIRST} AND objid <> 'public'::regnamespace);`,
    `SELECT 'DROP SCHEMA ${aside}' WHERE NOT EXISTS (${NAMED.map(
      ([catalog, schema]) => `SELECT FROM ${catalog} WHERE ${schema} = '${aside}'::regnamespace::oid`,
    ).join(' UNION ALL ')})\\gexec`,
    /*
     * Roll back prepared transactions. They block later statements, and another session could still commit these
     * transactions.
     */
    `SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts x WHERE database = current_database()
      AND (pg_has_role(owner, '${ADMIN}', 'MEMBER') OR EXISTS (SELECT FROM pg_locks l WHERE l.virtualtransaction = '-1/' || x.transaction
        AND l.locktype = 'relation' AND l.relation < ${FIRST} AND l.mode = 'RowExclusiveLock'))\\gexec`,
  ];
}

/**
 * Returns SQL statements that undo the changes of an app with superuser permissions, and report the changes as JSON
 * lines. Run these statements in each database after `putAside`.
 */
export function endDatabaseLeftovers(): string[] {
  return [
    `SELECT json_build_object('found', 'replaced ' || p.oid::regprocedure) FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
      WHERE p.oid < ${FIRST} AND l.lanname NOT IN ('internal', 'c', 'sql') UNION ALL
      SELECT json_build_object('found', 'function ' || p.oid::regprocedure) FROM ${OUTSIDE}
        AND p.proacl IS DISTINCT FROM '{${ADMIN}=X/${ADMIN}}'::aclitem[] UNION ALL
      SELECT json_build_object('found', e.privilege_type || ' on ' || o.target) FROM ${GIVEN} UNION ALL
      SELECT json_build_object('found', o.target || ' of ' || o.owner::regrole) FROM ${MOVED} WHERE ${isPredefined('o.owner')} UNION ALL
      SELECT json_build_object('found', 'foreign-data wrapper ' || w.fdwname) FROM pg_foreign_data_wrapper w WHERE ${READS_SERVER};`,
    ...dropWrappers(),
    `UPDATE pg_language SET lanpltrusted = false WHERE lanpltrusted AND lanname <> 'sql' AND NOT (
      lanname IN ('plpgsql', 'plperl', 'pltcl') AND ${ofExtension('pg_language', 'pg_language.oid')});`,
    // Skip subscriptions and event triggers here, because `findings` and `putAside` process them.
    `SELECT format('ALTER %s OWNER TO ${OWNER}', o.target) FROM ${MOVED}\\gexec`,
    /*
     * Drop triggers with unsafe functions. It is not sufficient to revoke `EXECUTE`, because a trigger can still run
     * its function.
     */
    `SELECT format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass) FROM pg_trigger t
      WHERE NOT t.tgisinternal AND t.tgfoid IN (SELECT p.oid FROM ${OUTSIDE})\\gexec`,
    `SELECT format('ALTER ROUTINE %s %s', p.oid::regprocedure, action) FROM (SELECT p.oid FROM ${OUTSIDE}) p,
      (VALUES ('SECURITY INVOKER'), ('OWNER TO ${ADMIN}')) a (action)\\gexec`,
    `SELECT format('REVOKE ALL ON ROUTINE %s FROM %s CASCADE', p.oid::regprocedure, ${grantee('a')})
      FROM (SELECT p.oid, p.proacl, p.proowner FROM ${OUTSIDE}) p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      WHERE a.grantee <> ${ADMIN_ID}\\gexec`,
    `SELECT format('REVOKE %s%s ON %s FROM %s CASCADE', e.privilege_type, o.columns, o.target, ${grantee('e')}) FROM ${GIVEN}\\gexec`,
    `SELECT format('ALTER USER MAPPING FOR %s SERVER %I OPTIONS (SET password_required ''true'')',
        CASE umuser WHEN 0 THEN 'PUBLIC' ELSE quote_ident(usename) END, srvname)
      FROM pg_user_mappings, unnest(umoptions) one WHERE one ~ '^password_required=' AND one <> 'password_required=true'\\gexec`,
    ...['pg_shdepend', 'pg_depend'].map(
      (catalog) => `DELETE FROM ${catalog} WHERE classid = 'pg_default_acl'::regclass
        ${catalog === 'pg_shdepend' ? 'AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())' : ''}
        AND objid IN (SELECT oid FROM pg_default_acl WHERE defaclrole = ${ADMIN_ID});`,
    ),
    `DELETE FROM pg_default_acl WHERE defaclrole = ${ADMIN_ID};`,
  ];
}

/**
 * Returns SQL statements that drop foreign-data wrappers that may read files. The statements also drop the servers,
 * tables and views of these wrappers, which contain no data of the database.
 */
function dropWrappers(): string[] {
  return [
    // Log notices, so that the log of the server contains all dropped objects.
    'SET log_min_messages = notice;',
    /*
     * Remove the objects from their extensions before the objects are dropped. Otherwise, PostgreSQL would drop the
     * whole extension. A dependency of type `i` links a view to its rule and so to its tables.
     */
    `WITH RECURSIVE gone (classid, objid) AS (
        SELECT 'pg_foreign_data_wrapper'::regclass::oid, w.oid FROM pg_foreign_data_wrapper w WHERE ${READS_SERVER}
        UNION SELECT n.classid, n.objid FROM gone g, LATERAL (
          SELECT d.classid, d.objid FROM pg_depend d WHERE d.refclassid = g.classid AND d.refobjid = g.objid AND d.deptype <> 'e'
          UNION ALL SELECT d.refclassid, d.refobjid FROM pg_depend d
            WHERE d.classid = g.classid AND d.objid = g.objid AND d.deptype = 'i') n)
      SELECT format('ALTER EXTENSION %I DROP %s %s', e.extname, replace(i.type, '-', ' '), i.identity) FROM gone g
        JOIN pg_depend d ON d.classid = g.classid AND d.objid = g.objid AND d.deptype = 'e'
        JOIN pg_extension e ON e.oid = d.refobjid, pg_identify_object(g.classid, g.objid, 0) i\\gexec`,
    `SELECT format('DROP FOREIGN DATA WRAPPER %I CASCADE', w.fdwname) FROM pg_foreign_data_wrapper w WHERE ${READS_SERVER}\\gexec`,
    'RESET log_min_messages;',
  ];
}

/**
 * Returns an SQL expression for the name of the role that has a permission, or `PUBLIC`.
 * @param acl alias of an `aclexplode` call
 */
function grantee(acl: string): string {
  return `CASE ${acl}.grantee WHEN 0 THEN 'PUBLIC' ELSE ${acl}.grantee::regrole::text END`;
}
