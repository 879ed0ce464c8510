/**
 * Attacks of an app's login on Davit's sessions in its database. Whatever the login leaves there, it must never get the
 * rights of the server's administrator, and it cannot prevent a change of its password.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { DatabaseCredentials } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { HeldConnections } from '../../support/held-connections.ts';
import { createdDatabase, done, inDatabase, logsOf, pathOf, projectOf, psql } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import {
  MARIADB_FILES,
  MARIADB_ROUTINES,
  MARIADB_RUNS,
  MARIADB_TRIES,
  mariadbLeftovers,
  mariadbTraps,
  POSTGRES_CLOSED,
  POSTGRES_DEAF,
  POSTGRES_FOREIGN_TRIES,
  POSTGRES_HELD,
  POSTGRES_HIDDEN,
  POSTGRES_HIDDEN_OBJECTS,
  POSTGRES_HOLDS,
  POSTGRES_OPEN,
  POSTGRES_OWNED,
  POSTGRES_PASSWORDS,
  POSTGRES_PATH,
  POSTGRES_PREDEFINED,
  POSTGRES_PREDEFINED_TRIES,
  POSTGRES_RACES,
  POSTGRES_REACHES,
  POSTGRES_SABOTAGE,
  POSTGRES_SETTINGS,
  POSTGRES_SHARED,
  POSTGRES_SWAP,
  POSTGRES_SWAPPED,
  POSTGRES_TRAPS,
  POSTGRES_TRIES,
  POSTGRES_TRUST,
  postgresForeign,
  postgresLoopback,
  postgresObjects,
  postgresRights,
} from '../../support/login-attacks.ts';
import { RedisClients } from '../../support/redis-clients.ts';
import { inLong } from '../../support/tiers.ts';

const query = { wait: 'true' } as const;
/** Responses of PostgreSQL to a login that has ended. */
const REFUSED = /authentication failed|not permitted to log in|no pg_hba[.]conf entry/;

describe('the database login of an app', () => {
  let harness: LiveHarness;
  let project: string;
  before(async () => {
    harness = await LiveHarness.create();
    project = await projectOf(harness);
  });
  after(() => harness[Symbol.asyncDispose]());

  const credentials = (of: string) =>
    harness.client.getDatabaseCredentials({ params: pathOf(of) }) as Promise<DatabaseCredentials>;

  /** Returns the complete log of the container, to which the planted functions report. */
  const logs = (reference: string) => logsOf(harness, reference);

  /**
   * Runs SQL with the login of an app and returns the output.
   * @param sql statements to run
   */
  async function asApp(reference: string, sql: string): Promise<string> {
    const { url } = await credentials(reference);
    return inDatabase(harness, reference, ['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', url], sql);
  }

  /** Like {@link asApp}, but with session settings that override the settings of the database. */
  function asAppWithin(reference: string, url: string | null, sql: string): Promise<string> {
    const own = [
      ...['local_preload_libraries=', 'search_path=', 'session_authorization=postgres', 'role=davit_owner'],
      ...['default_transaction_read_only=off', 'statement_timeout=0', 'idle_session_timeout=0', 'exit_on_error=off'],
    ].map((one) => `-c ${one}`);
    const command = ['env', `PGOPTIONS=${own.join(' ')}`, 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', String(url)];
    return inDatabase(harness, reference, command, sql);
  }

  /** Returns the same URL with another database. */
  function within(url: string | null, database: string): string {
    return Object.assign(new URL(String(url)), { pathname: `/${encodeURIComponent(database)}` }).href;
  }

  /**
   * Returns the same URL with another password.
   * @param password new password, or `null` to keep the password
   */
  function withPassword(url: string | null, password: string | null): string {
    return Object.assign(new URL(String(url)), password === null ? {} : { password }).href;
  }

  async function demandEnded(reference: string, url: string | null): Promise<void> {
    await assert.rejects(asAppWithin(reference, url, 'SELECT 1;'), REFUSED, String(url));
  }

  async function demandNoSuperuser(reference: string): Promise<void> {
    const found = await psql(harness, reference, 'postgres', 'SELECT rolname FROM pg_roles WHERE rolsuper;');
    assert.equal(found.trim(), 'davit_admin', `superusers of ${reference}`);
    assert.doesNotMatch(await logs(reference), /seized by davit_admin/, `a function of an app ran in ${reference}`);
  }

  describe('on PostgreSQL', () => {
    it('cannot become superuser through planted objects or prevent its replacement', async () => {
      const main = await createdDatabase(harness, { project, name: 'main', engine: 'postgres' });
      const params = pathOf(main);
      const { username } = await credentials(main);
      await asApp(main, POSTGRES_TRAPS);
      await asApp(main, POSTGRES_PATH);
      assert.match(await logs(main), new RegExp(`seized by ${username}`), 'the traps work');

      await done(harness.client.rotateDatabasePassword({ params, query }));
      await demandNoSuperuser(main);
      await done(harness.client.addDatabaseExtensions({ params, query, body: { extensions: ['earthdistance'] } }));
      await demandNoSuperuser(main);
      const into = `${project}/production/copy`;
      await done(harness.client.cloneDatabase({ params, query, body: { into } }));
      await demandNoSuperuser(main);
      await demandNoSuperuser(into);
      assert.equal((await asApp(into, 'SELECT pg_catalog.count(*) FROM checked;')).trim(), '5');

      const { username: second } = await credentials(main);
      await asApp(main, POSTGRES_SABOTAGE);
      await done(harness.client.rotateDatabasePassword({ params, query }));
      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      const left = await psql(harness, main, 'postgres', `SELECT 1 FROM pg_roles WHERE rolname = '${second}';`);
      assert.equal(left.trim(), '', 'the login from before is gone');
      await demandNoSuperuser(main);
    });

    it('cannot hide objects from backups by adding the objects to an extension', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'hides', engine: 'postgres' });
      const params = pathOf(main);
      await asApp(main, POSTGRES_HIDDEN);

      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      const into = `${project}/production/shown`;
      await done(harness.client.cloneDatabase({ params, query, body: { into } }));

      const hidden = `${POSTGRES_HIDDEN_OBJECTS}; SELECT count(*) FROM orders; SELECT count(*) FROM apart.orders;`;
      const found = (await asApp(main, hidden)).trim();
      assert.match(found, /^3\n2$/m);
      assert.equal((await asApp(into, hidden)).trim(), found);
    });

    it('cannot plant objects in an extension script through a required extension', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'adds', engine: 'postgres' });
      const request = { params: pathOf(main), query, body: { extensions: ['earthdistance'] } };
      await asApp(main, 'CREATE EXTENSION cube; CREATE FUNCTION own() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;');
      await asApp(main, 'ALTER EXTENSION cube ADD FUNCTION own();');

      const { status, error } = await harness.client.addDatabaseExtensions(request);

      assert.match(`${status} ${error}`, /^failed .*: function own\(\)[.] Remove the objects with ALTER EXTENSION/);
      await asApp(main, 'ALTER EXTENSION cube DROP FUNCTION own();');
      await done(harness.client.addDatabaseExtensions(request));
      assert.equal((await asApp(main, 'SELECT earth() > 0, own();')).trim(), 't|1');
    });

    it('cannot plant objects in an extension script through a predefined role', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'gives', engine: 'postgres' });
      const request = { params: pathOf(main), query, body: { extensions: ['earthdistance'] } };
      await asApp(main, 'CREATE EXTENSION cube; CREATE FUNCTION own() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;');
      await asApp(main, 'GRANT CREATE ON SCHEMA public TO pg_database_owner; CREATE DOMAIN mine AS int;');
      await asApp(main, 'ALTER EXTENSION cube ADD FUNCTION own(); ALTER EXTENSION cube ADD DOMAIN mine;');
      await asApp(
        main,
        'ALTER FUNCTION own() OWNER TO pg_database_owner; ALTER DOMAIN mine OWNER TO pg_database_owner;',
      );

      const { status, error } = await harness.client.addDatabaseExtensions(request);

      assert.match(`${status} ${error}`, /^failed .*: function own\(\), type mine[.] Remove the objects with ALTER/);
      await asApp(main, 'ALTER EXTENSION cube DROP FUNCTION own(); ALTER EXTENSION cube DROP DOMAIN mine;');
      await done(harness.client.addDatabaseExtensions(request));
      assert.equal((await asApp(main, 'SELECT earth() > 0, own();')).trim(), 't|1');
    });

    it('cannot plant objects in an extension script through a concurrently created extension', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'races', engine: 'postgres' });
      const params = pathOf(main);
      const { url, username } = await credentials(main);
      const request = { params, query, body: { extensions: ['citext', 'earthdistance'] } };
      await asApp(main, 'CREATE FUNCTION own() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;');
      const count = (condition: string) => () =>
        psql(harness, main, 'postgres', `SELECT count(*) FROM pg_stat_activity WHERE ${condition};`);
      const waits = (role: string) => count(`usename = '${role}' AND wait_event_type = 'Lock'`);
      /** Keeps uncommitted objects until the session is canceled, and commits them then. */
      const held = (statements: string) =>
        asAppWithin(
          main,
          url,
          `BEGIN; ${statements} DO $$ BEGIN PERFORM pg_catalog.pg_sleep(600); EXCEPTION WHEN query_canceled THEN NULL; END $$; COMMIT;`,
        );
      const sleeps = "FROM pg_stat_activity WHERE wait_event = 'PgSleep';";
      const extensions = "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY 1;";
      const extension = 'SET search_path = public; CREATE EXTENSION cube; ALTER EXTENSION cube ADD FUNCTION own();';

      const holder = held(extension);
      await answers(count("wait_event = 'PgSleep'"), /^1$/m);
      const first = harness.client.addDatabaseExtensions(request);
      await answers(waits('davit_admin'), /^1$/m);
      await psql(harness, main, 'postgres', `SELECT pg_cancel_backend(pid) ${sleeps}`);
      await holder;
      assert.match(`${(await first).status} ${(await first).error}`, /^failed .*(duplicate key|already exists)/);
      assert.equal((await asApp(main, extensions)).trim(), 'cube', 'nothing was created');
      const { status, error } = await harness.client.addDatabaseExtensions(request);
      assert.match(`${status} ${error}`, /^failed .*: function own\(\)[.] Remove the objects with ALTER EXTENSION/);
      await asApp(main, 'ALTER EXTENSION cube DROP FUNCTION own(); DROP EXTENSION cube;');

      const other = assert.rejects(
        asAppWithin(main, url, 'BEGIN; CREATE EXTENSION citext SCHEMA public; SELECT pg_catalog.pg_sleep(600);'),
        /due to administrator command/,
      );
      await answers(count("wait_event = 'PgSleep'"), /^1$/m);
      const second = done(harness.client.addDatabaseExtensions(request));
      await answers(waits('davit_admin'), /^1$/m);
      const late = assert.rejects(asAppWithin(main, url, extension), /duplicate key|already exists/);
      await answers(waits(username), /^1$/m);
      await psql(harness, main, 'postgres', `SELECT pg_terminate_backend(pid) ${sleeps}`);
      await Promise.all([other, second, late]);
      assert.equal((await asApp(main, extensions)).trim(), 'citext\ncube\nearthdistance');
      assert.equal((await asApp(main, 'SELECT earth() > 0, own();')).trim(), 't|1');
    });

    it('cannot set the password of a database that restores its dump', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'guarded', engine: 'postgres' });
      const params = pathOf(main);
      await asApp(main, POSTGRES_PASSWORDS);
      const into = `${project}/production/guarded-too`;

      await done(harness.client.cloneDatabase({ params, query, body: { into } }));

      assert.match(await logs(into), /planted in/, 'it worked');
      const { url } = await credentials(into);
      const planted = Object.assign(new URL(String(url)), { password: 'planted' }).href;
      assert.equal((await asApp(into, 'SELECT a FROM guarded;')).trim(), '1');
      const refused = inDatabase(harness, into, ['psql', '-XqAt', planted], 'SELECT 1;');
      await assert.rejects(refused, /password authentication failed/);
    });

    it('cannot create further databases on the server', inLong, async () => {
      const own = await createdDatabase(harness, { project, name: 'own', engine: 'postgres' });

      await assert.rejects(asApp(own, 'CREATE DATABASE further;'), /permission denied to create database/);
      await assert.rejects(asApp(own, 'SET ROLE NONE; CREATE DATABASE further;'), /permission denied to create/);
    });

    it('loses former superuser rights after a password rotation and in a clone', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'former', engine: 'postgres' });
      const params = pathOf(main);
      const { username } = await credentials(main);
      await asApp(main, 'CREATE TABLE goods AS SELECT 1 AS a;');
      await psql(harness, main, 'postgres', postgresRights(username, 'former'));
      const into = `${project}/production/former-too`;
      // The clone is created before the rotation, because a clone copies the database in its present state.
      await done(harness.client.cloneDatabase({ params, query, body: { into } }));
      await demandNoSuperuser(into);
      await psql(harness, main, 'former', postgresObjects(username));

      await done(harness.client.rotateDatabasePassword({ params, query }));

      for (const database of [main, into]) {
        await demandNoSuperuser(database);
        const logins = "SELECT string_agg(rolname, ' ' ORDER BY rolname) FROM pg_roles WHERE rolcanlogin;";
        const { username: now } = await credentials(database);
        const expected = ['davit_admin', 'davit_reader', 'davit_restorer', now].sort().join(' ');
        assert.equal((await psql(harness, database, 'postgres', logins)).trim(), expected);
        for (const statement of POSTGRES_TRIES)
          await assert.rejects(asApp(database, statement), /ERROR/, `${database}: ${statement}`);
        const settings =
          "SELECT string_agg(one, ' ') FROM pg_db_role_setting, unnest(setconfig) one WHERE setdatabase <> 0;";
        assert.equal((await psql(harness, database, 'postgres', settings)).trim(), 'app.tenant=x, y');
        await demandNoSuperuser(database);
      }
      assert.equal((await asApp(main, 'SELECT total(a) FROM goods; SELECT span(1, 2);')).trim(), '1\n[1,2)');
      const planted = ['psql', '-XqAt', 'postgresql://davit_admin:planted@127.0.0.1/postgres', '-c', 'SELECT 1'];
      await assert.rejects(
        inDatabase(harness, main, planted),
        /no pg_hba.conf entry|pg_hba.conf rejects|password authentication/,
      );
    });

    it('cannot run code of a predefined role left from a time as superuser', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'predefined', engine: 'postgres' });
      await psql(harness, main, 'predefined', POSTGRES_PREDEFINED);
      for (const statement of POSTGRES_PREDEFINED_TRIES) await asApp(main, statement);

      await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));

      for (const statement of POSTGRES_PREDEFINED_TRIES)
        await assert.rejects(asApp(main, statement), /permission denied|privileges of the/, statement);
      const owned = `SELECT relname FROM pg_class WHERE oid >= 16384 AND relowner BETWEEN 11 AND 16383
        UNION ALL SELECT proname FROM pg_proc WHERE oid >= 16384 AND proowner BETWEEN 11 AND 16383;`;
      assert.equal(await psql(harness, main, 'predefined', owned), '');
      const into = `${project}/production/predefined-too`;
      await done(harness.client.cloneDatabase({ params: pathOf(main), query, body: { into } }));
      const rest = "REFRESH MATERIALIZED VIEW stored; SELECT a FROM stored; SELECT '(1)'::cube;";
      for (const database of [main, into]) {
        assert.equal((await asApp(database, rest)).trim(), '1\n(1)', database);
        await assert.rejects(asApp(database, 'SELECT public.hides()'), /privileges of the/, database);
      }
    });

    it(
      'cannot run programs through foreign tables left as superuser, while postgres_fdw keeps working',
      inLong,
      async () => {
        const main = await createdDatabase(harness, { project, name: 'foreign', engine: 'postgres' });
        await asApp(main, 'CREATE TABLE goods AS SELECT 7 AS a;');
        await psql(harness, main, 'foreign', postgresForeign('foreign'));
        for (const statement of POSTGRES_FOREIGN_TRIES) await asApp(main, statement);

        await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));

        for (const statement of POSTGRES_FOREIGN_TRIES)
          await assert.rejects(asApp(main, statement), /does not exist/, statement);
        assert.match(
          await logs(main),
          /drop cascades to foreign table public.runs\n.*drop cascades to view public.runs_too/,
        );
        const { username, password } = await credentials(main);
        const mapping = `CREATE USER MAPPING FOR davit_owner SERVER itself OPTIONS (user '${username}', password '${password}');`;
        assert.equal((await asApp(main, `${mapping} SELECT a FROM distant; SELECT '(1)'::cube;`)).trim(), '7\n(1)');
      },
    );

    it('cannot block backups or a password rotation through settings of its database', inLong, async () => {
      const shut = await createdDatabase(harness, { project, name: 'shut', engine: 'postgres' });
      const params = pathOf(shut);
      await asApp(shut, 'CREATE TABLE goods AS SELECT 1 AS a;');
      await asApp(shut, `${POSTGRES_SETTINGS}${POSTGRES_CLOSED}`);
      const { url } = await credentials(shut);

      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      await asAppWithin(shut, url, POSTGRES_CLOSED);
      await done(harness.client.rotateDatabasePassword({ params, query }));

      await demandEnded(shut, url);
    });

    it('ends although a session closes the database whenever the platform opens the database', inLong, async () => {
      const races = await createdDatabase(harness, { project, name: 'races-on', engine: 'postgres' });
      const { url } = await credentials(races);
      const open = assert.rejects(asAppWithin(races, url, POSTGRES_RACES), /ended with \d+/);
      const busy = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active';";
      await answers(() => psql(harness, races, 'postgres', busy), /1/);

      await done(harness.client.rotateDatabasePassword({ params: pathOf(races), query }));

      await open;
      await demandEnded(races, url);
    });

    it('ends although the login owns objects in several databases', inLong, async () => {
      const owned = await createdDatabase(harness, { project, name: 'owned', engine: 'postgres' });
      const params = pathOf(owned);
      const { username, url } = await credentials(owned);
      await psql(harness, owned, 'postgres', POSTGRES_OPEN(username));
      const all = ['owned', 'further', "Odd 'one' \\x", 'postgres', 'template1'];
      for (const database of all) {
        await psql(harness, owned, database, POSTGRES_SHARED);
        await asAppWithin(owned, within(url, database), POSTGRES_OWNED(username));
      }
      await asAppWithin(owned, url, 'SET ROLE none; ALTER DATABASE further IS_TEMPLATE true;');
      const closed = 'ALTER DATABASE owned IS_TEMPLATE true ALLOW_CONNECTIONS false CONNECTION LIMIT 0;';
      await asAppWithin(owned, within(url, 'further'), `SET ROLE none; ${closed}`);

      await done(harness.client.rotateDatabasePassword({ params, query }));

      const left = await psql(harness, owned, 'postgres', `SELECT 1 FROM pg_roles WHERE rolname = '${username}';`);
      assert.equal(left.trim(), '', 'its role is gone');
      for (const database of all) await demandEnded(owned, within(url, database));
      const { log } = await done(harness.client.backUpDatabase({ params, query, body: {} }));
      assert.match(log?.join('\n') ?? '', /This backup does not contain .*further\.$/m);
      const rows = 'SELECT a FROM kept.things UNION ALL SELECT a FROM shared.rows;';
      assert.equal((await asApp(owned, rows)).trim(), '1\n1');
    });

    it('ends although a transaction locks its role and its database', inLong, async () => {
      const held = await createdDatabase(harness, { project, name: 'held', engine: 'postgres' });
      const params = pathOf(held);
      const { url } = await credentials(held);
      const sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)%';";
      const whileHeld = async (address: string, request: () => Promise<unknown>) => {
        const open = assert.rejects(asAppWithin(held, address, POSTGRES_HELD), /due to administrator command/);
        await answers(() => psql(harness, held, 'postgres', sleeping), /1/);
        await done(request());
        await open;
      };

      await whileHeld(withPassword(url, null), () => harness.client.backUpDatabase({ params, query, body: {} }));
      const changed = withPassword(url, 'changed');
      await whileHeld(changed, () => harness.client.rotateDatabasePassword({ params, query }));

      for (const password of [null, 'changed', 'held']) await demandEnded(held, withPassword(url, password));
    });

    it('ends with a server restart if a session cannot be terminated', inLong, async () => {
      const deaf = await createdDatabase(harness, { project, name: 'deaf', engine: 'postgres' });
      const params = pathOf(deaf);
      await asApp(deaf, 'CREATE TABLE goods AS SELECT 1 AS a;');
      const { url, password } = await credentials(deaf);
      const open = assert.rejects(asAppWithin(deaf, url, POSTGRES_DEAF(String(password))), /ended with \d+/);
      const busy = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT xpath(%' AND state = 'active';";
      await answers(() => psql(harness, deaf, 'postgres', busy), /1/);

      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      const { log } = await done(harness.client.rotateDatabasePassword({ params, query }));

      assert.match(log?.join('\n') ?? '', /restarts the database server/);
      await open;
      await demandEnded(deaf, url);
      assert.equal((await asApp(deaf, 'SELECT a FROM goods;')).trim(), '1');
      assert.equal((await harness.client.getDatabase({ params })).status, 'running');
    });

    it('cannot run code as the reader by replacing a table with a view', inLong, async () => {
      const swaps = await createdDatabase(harness, { project, name: 'swaps', engine: 'postgres' });
      const params = pathOf(swaps);
      const { url, username } = await credentials(swaps);
      await asApp(swaps, POSTGRES_SWAPPED);
      const held = assert.rejects(asAppWithin(swaps, url, POSTGRES_HOLDS), /due to administrator command/);
      const counted = (condition: string) => () =>
        psql(harness, swaps, 'postgres', `SELECT count(*) FROM pg_stat_activity WHERE ${condition};`);
      await answers(counted("query LIKE 'SELECT pg_sleep(600)%'"), /^1$/m);
      const backup = harness.client.backUpDatabase({ params, query, body: {} });
      // Two sessions wait for the lock: the dump, and the query that counts the rows.
      await answers(counted("usename = 'davit_reader' AND wait_event_type = 'Lock'"), /^2$/m);
      const swapped = asAppWithin(swaps, url, POSTGRES_SWAP);
      await answers(counted(`usename = '${username}' AND wait_event_type = 'Lock'`), /^1$/m);

      const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)%';";
      await psql(harness, swaps, 'postgres', end);

      await Promise.all([held, swapped]);
      assert.match(
        `${(await backup).status} ${(await backup).error}`,
        /^failed .*TABLESAMPLE clause can only be applied/,
      );
      assert.doesNotMatch(await logs(swaps), /evil as davit_reader/);
    });

    it('stays disabled if its role cannot be removed', inLong, async () => {
      const stays = await createdDatabase(harness, { project, name: 'stays', engine: 'postgres' });
      const params = pathOf(stays);
      const { username, url } = await credentials(stays);
      await asApp(stays, 'CREATE TABLE goods AS SELECT 1 AS a;');
      await psql(harness, stays, 'postgres', `CREATE DATABASE broken OWNER ${username};`);
      await psql(harness, stays, 'broken', `CREATE SCHEMA own AUTHORIZATION ${username};`);
      // The server leaves a database in this state if its removal is interrupted.
      await psql(harness, stays, 'postgres', "UPDATE pg_database SET datconnlimit = -2 WHERE datname = 'broken';");

      const { log } = await done(harness.client.rotateDatabasePassword({ params, query }));

      assert.match(log?.join('\n') ?? '', new RegExp(`The old login ${username} is disabled.*database broken`));
      await demandEnded(stays, url);
      const second = await credentials(stays);
      await done(harness.client.rotateDatabasePassword({ params, query }));
      await demandEnded(stays, url);
      await demandEnded(stays, second.url);
      await done(harness.client.rotateDatabasePassword({ params, query }));
      await demandEnded(stays, url);
      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      const [{ id = 0 } = {}] = await harness.client.listDatabaseBackups({ params });
      const body = { in_place: true, confirm: 'stays' };
      await done(harness.client.restoreBackup({ params: { backup: String(id) }, query, body }));
      await demandEnded(stays, url);
      assert.equal((await asApp(stays, 'SELECT a FROM goods;')).trim(), '1');
    });

    /**
     * Opens all connections that the login can have.
     * @returns the connections, which leave no room for another one
     */
    async function allConnections(reference: string, url: string | null): Promise<HeldConnections> {
      const client = ['psql', '-XqAt', String(url), '-c', 'SELECT pg_catalog.pg_sleep(600)'];
      const held = new HeldConnections(harness, reference, client, 110);
      await answers(() => asAppWithin(reference, url, 'SELECT 1;'), /too many connections|connection slots/);
      return held;
    }

    /** Returns the response of the server to a session that it opens to itself with this role. */
    async function loopback(reference: string, role: string, host: string, database: string): Promise<string> {
      return asApp(reference, postgresLoopback(role, host, database)).catch((error: Error) => error.message);
    }

    it('cannot sign in as a platform role through connections from the server itself', inLong, async () => {
      const loops = await createdDatabase(harness, { project, name: 'loops', engine: 'postgres' });
      const body = { extensions: ['dblink'] };
      await done(harness.client.addDatabaseExtensions({ params: pathOf(loops), query, body }));
      const { username, password } = await credentials(loops);
      const address = (await asApp(loops, 'SELECT host(inet_server_addr());')).trim();

      for (const role of ['davit_admin', 'davit_reader', 'davit_restorer'])
        for (const host of ['/var/run/postgresql', '127.0.0.1', address])
          for (const database of ['postgres', 'template1', 'loops', 'loops replication=true']) {
            const answer = await loopback(loops, role, host, database);
            assert.match(
              answer,
              /authentication failed|pg_hba[.]conf rejects|no pg_hba[.]conf entry/,
              `${role} at ${host}`,
            );
          }

      assert.doesNotMatch(await logs(loops), /could not load library|permission denied to set parameter/);
      const own = `host=/var/run/postgresql dbname=loops user=${username} password=${password}`;
      const answer = await asApp(loops, `SELECT * FROM dblink('${own}', 'SELECT 7') AS t (n int);`);
      assert.equal(answer.trim(), '7', 'it may as itself');
    });

    it('cannot sign in as a platform role through a row check during a restore', inLong, async () => {
      const checks = await createdDatabase(harness, { project, name: 'checks', engine: 'postgres' });
      const params = pathOf(checks);
      await done(harness.client.addDatabaseExtensions({ params, query, body: { extensions: ['dblink'] } }));
      await asApp(checks, POSTGRES_REACHES);
      const into = `${project}/production/checks-too`;

      await done(harness.client.cloneDatabase({ params, query, body: { into } }));

      assert.match(await logs(into), /answer of host=[/]var[/]run[/]postgresql: .*authentication failed/);
      assert.doesNotMatch(await logs(into), /could not load library/);
    });

    it('cannot sign in as a platform role after an update from an earlier version', inLong, async () => {
      const trusts = await createdDatabase(harness, { project, name: 'trusts', engine: 'postgres' });
      const params = pathOf(trusts);
      await done(harness.client.addDatabaseExtensions({ params, query, body: { extensions: ['dblink'] } }));
      const options = ['-c', 'ident_file=/var/lib/postgresql/data/pgdata/pg_ident.conf'];
      await setRow('trusts', `options = '${JSON.stringify(options)}'`);
      await done(harness.client.restartDatabase({ params, query }));
      await inDatabase(harness, trusts, ['tee', '/etc/davit/pg_hba.conf'], POSTGRES_TRUST);
      await inDatabase(harness, trusts, ['rm', '/etc/davit/pgpass', '/etc/davit/pg_ident.conf']);
      await inDatabase(harness, trusts, ['kill', '-HUP', '1']);
      const attack = () => loopback(trusts, 'davit_admin', '/var/run/postgresql', 'trusts');
      await answers(attack, /could not load library/);

      await setRow('trusts', 'rules = 0');

      await answers(attack, /authentication failed/);
      for (const role of ['davit_reader', 'davit_restorer'])
        assert.match(await loopback(trusts, role, '/var/run/postgresql', 'trusts'), /authentication failed/);
      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      await done(harness.client.rotateDatabasePassword({ params, query }));
      await done(harness.client.restartDatabase({ params, query }));
      await demandNoSuperuser(trusts);
    });

    it('cannot use the administrator’s password or settings from a former time as superuser', inLong, async () => {
      const reads = await createdDatabase(harness, { project, name: 'reads', engine: 'postgres' });
      const params = pathOf(reads);
      await done(harness.client.addDatabaseExtensions({ params, query, body: { extensions: ['dblink'] } }));
      const { username } = await credentials(reads);
      await psql(harness, reads, 'postgres', `ALTER ROLE "${username}" SUPERUSER;`);
      const conf = '/var/lib/postgresql/data/pgdata/postgresql.conf';
      const planted = "jit_provider = '/tmp/evil'\ndata_directory = '/tmp'\nexternal_pid_file = '/tmp/planted'\n";
      const password = await asApp(reads, "SET ROLE none; SELECT pg_read_file('/etc/davit/password');");
      // A program that ends before it has read the row would make the statement fail with a broken pipe.
      const plant = `cat >> /dev/null; printf "${planted}" >> ${conf}`;
      await asApp(reads, `SET ROLE none; COPY (SELECT 1) TO PROGRAM $$${plant}$$;`);
      const attack = async () => {
        const answers: string[] = [];
        for (const database of ['postgres', 'template1', 'reads']) {
          const target = `host=/var/run/postgresql dbname=${database} user=davit_admin password=${password.trim()}`;
          answers.push(await asApp(reads, `SELECT dblink_connect('c', '${target}');`).catch(({ message }) => message));
        }
        return answers;
      };

      await setRow('reads', 'rules = 0');

      const superusers = 'SELECT count(*) FROM pg_roles WHERE rolsuper;';
      await answers(() => psql(harness, reads, 'postgres', superusers), /^1$/m);
      for (const answer of await attack()) assert.match(answer, /authentication failed/);
      await done(harness.client.restartDatabase({ params, query }));
      for (const answer of await attack()) assert.match(answer, /authentication failed/);
      assert.equal((await psql(harness, reads, 'postgres', 'SHOW jit_provider;')).trim(), 'llvmjit');
      await demandNoSuperuser(reads);
    });

    /** Changes the record of a database while the instance is stopped. */
    async function setRow(name: string, statement: string): Promise<void> {
      await harness.instance.kill();
      const db = new DatabaseSync(join(harness.instance.dataDir, 'davit.db'));
      db.exec(`UPDATE databases SET ${statement} WHERE name = '${name}'`);
      db.close();
      await harness.instance.start();
      const params = pathOf(`${project}/production/${name}`);
      await answers(async () => (await harness.client.getDatabase({ params })).status, /running/);
    }

    it('cannot prevent a backup or a password rotation by taking all connections', inLong, async () => {
      const full = await createdDatabase(harness, { project, name: 'full', engine: 'postgres' });
      const params = pathOf(full);
      await asApp(full, 'CREATE TABLE goods AS SELECT 1 AS a;');
      const { url } = await credentials(full);
      await using _ = await allConnections(full, url);

      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      await done(harness.client.rotateDatabasePassword({ params, query }));

      await demandEnded(full, url);
      assert.equal((await asApp(full, 'SELECT a FROM goods;')).trim(), '1');
    });

    it('cannot prevent a password rotation by taking all connections of an older server', inLong, async () => {
      const former = await createdDatabase(harness, { project, name: 'fewer', engine: 'postgres' });
      const params = pathOf(former);
      const { url, username } = await credentials(former);
      const earlier = ['-c', 'max_connections=100', '-c', 'superuser_reserved_connections=3'];
      await setRow('fewer', `options = '${JSON.stringify(earlier)}'`);
      await done(harness.client.restartDatabase({ params, query }));
      await psql(harness, former, 'postgres', `ALTER ROLE ${username} CONNECTION LIMIT -1;`);
      await using _ = await allConnections(former, url);

      await setRow('fewer', 'rules = 0');
      await done(harness.client.rotateDatabasePassword({ params, query }));

      await demandEnded(former, url);
      await done(harness.client.backUpDatabase({ params, query, body: {} }));
    });

    it('cannot become superuser through a backup, a verification, a restore or an upgrade', inLong, async () => {
      const kept = await createdDatabase(harness, { project, name: 'kept', engine: 'postgres' });
      const params = pathOf(kept);
      // The setting of its database would also end its own statements after a millisecond.
      const patiently = 'SET statement_timeout = 0; ';
      const { url } = await credentials(kept);
      await done(harness.client.rotateDatabasePassword({ params, query }));
      await asApp(kept, POSTGRES_TRAPS);
      await asApp(kept, POSTGRES_PATH);
      await asApp(kept, POSTGRES_SABOTAGE);

      await done(harness.client.backUpDatabase({ params, query, body: {} }));
      const [{ id = 0 } = {}] = await harness.client.listDatabaseBackups({ params });
      await done(harness.client.verifyBackup({ params: { backup: String(id) }, query }));
      await demandNoSuperuser(kept);
      await done(harness.client.upgradeDatabase({ params, query, body: { version: '15', confirm: 'kept' } }));
      await demandNoSuperuser(kept);
      await demandEnded(kept, url);
      const body = { in_place: true, confirm: 'kept' };
      await done(harness.client.restoreBackup({ params: { backup: String(id) }, query, body }));
      await demandNoSuperuser(kept);
      await demandEnded(kept, url);
      assert.equal((await asApp(kept, `${patiently}SELECT pg_catalog.count(*) FROM checked;`)).trim(), '5');
    });
  });

  describe('on MariaDB', () => {
    it('gains no server rights if a dump with planted objects is cloned', async () => {
      const main = await createdDatabase(harness, { project, name: 'maria', engine: 'mariadb' });
      const { username, password } = await credentials(main);
      const say = (reference: string, words: string[], stdin = '') =>
        inDatabase(harness, reference, ['mariadb', ...words, '-NB'], stdin);
      const login = [`-u${username}`, `-p${password}`, '-h127.0.0.1', 'maria'];
      await say(main, [...login, `--execute=${mariadbTraps(username)}`]);
      const into = `${project}/production/maria-copy`;

      const task = await harness.client.cloneDatabase({ params: pathOf(main), query, body: { into } });

      const rights = `SELECT COUNT(*) FROM information_schema.user_privileges
        WHERE grantee LIKE '''${username}%' AND privilege_type <> 'USAGE';`;
      const admin = ['--defaults-extra-file=/etc/davit/client.cnf'];
      assert.equal((await say(main, admin, rights)).trim(), '0');
      // A failed clone is also correct, because it gives no rights.
      assert.ok(
        task.status === 'failed' || (await say(into, admin, rights)).trim() === '0',
        'it has rights in the clone',
      );
    });

    it('cannot read server files through a clone or write outside the volume', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'peeks', engine: 'mariadb' });
      const { username, password } = await credentials(main);
      const say = (reference: string, words: string[], stdin = '') =>
        inDatabase(harness, reference, ['mariadb', ...words, '-NB'], stdin);
      const login = [`-u${username}`, `-p${password}`, '-h127.0.0.1', 'peeks'];
      await say(main, [...login, `--execute=${MARIADB_FILES}`]);
      const into = `${project}/production/peeks-too`;

      const task = await harness.client.cloneDatabase({ params: pathOf(main), query, body: { into } });

      const admin = ['--defaults-extra-file=/etc/davit/client.cnf'];
      const loot = 'SELECT a FROM peeks.loot;';
      // A failed clone is also correct, because it contains no file contents.
      const found = task.status === 'failed' ? '' : await say(into, admin, loot).catch(() => '');
      assert.doesNotMatch(found, /password/);
      await say(main, login, "CREATE TABLE outside (a INT) ENGINE=MyISAM DATA DIRECTORY='/tmp';");
      assert.doesNotMatch(await inDatabase(harness, main, ['ls', '/tmp']), /outside/);
    });

    it('loses former administrator rights after a password rotation', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'ruled', engine: 'mariadb' });
      const params = pathOf(main);
      const { username, password } = await credentials(main);
      const say = (words: string[], stdin = '') => inDatabase(harness, main, ['mariadb', ...words, '-NB'], stdin);
      const admin = ['--defaults-extra-file=/etc/davit/client.cnf'];
      const as = (user: string, secret: string) => [`-u${user}`, `-p${secret}`, '-h127.0.0.1'];
      await say(admin, mariadbLeftovers(username, 'ruled'));
      const within = [...admin, '--database=ruled'];
      const routines = await say(within, MARIADB_ROUTINES);
      const foreign = assert.rejects(say(as('stranger', 'planted'), 'SELECT SLEEP(600);'), /ERROR/);
      await answers(
        () => say(admin, "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'stranger';"),
        /1/,
      );

      const { log } = await done(harness.client.rotateDatabasePassword({ params, query }));

      assert.match(log?.join('\n') ?? '', /Davit dropped the view ruled[.]broken/);
      await foreign;
      const now = await credentials(main);
      const login = [...as(now.username, now.password ?? ''), 'ruled'];
      for (const [user, secret] of [
        ['stranger', 'planted'],
        ['odd\nname', 'planted'],
        ['root', 'planted'],
        [username, password],
      ] as const)
        await assert.rejects(
          say([...as(user, secret ?? ''), '-e', 'SELECT 1']),
          /Access denied|account is locked/i,
          user,
        );
      for (const statement of MARIADB_TRIES)
        await assert.rejects(say([...login, '-e', statement]), /ERROR \d+/, statement);
      assert.equal((await say([...login, '-e', 'SELECT a FROM seen'])).trim(), '1');
      assert.equal((await say([...login, '-e', 'SET sql_mode = ORACLE; SELECT ruled.pack.one()'])).trim(), '1');
      assert.equal(await say(within, MARIADB_ROUTINES), routines);
      assert.equal((await say(admin, MARIADB_RUNS)).trim(), '');
      const open =
        "SELECT COUNT(*) FROM mysql.global_priv WHERE user IN ('seized', 'timed') AND priv NOT REGEXP 'account_locked.:.?true';";
      assert.equal((await say(admin, open)).trim(), '0');
      const homed = "SELECT COUNT(*) FROM mysql.global_priv WHERE user = 'homed';";
      assert.equal((await say(admin, homed)).trim(), '0', 'the client reads no option file of its home folder');
      const rights =
        "SELECT COUNT(*) FROM information_schema.user_privileges WHERE privilege_type <> 'USAGE' AND grantee NOT REGEXP 'root|mysql|mariadb';";
      assert.equal((await say(admin, rights)).trim(), '0');
    });

    /**
     * Checks a change of the password while all connections are in use.
     * @param earlier whether the server runs with the settings of earlier versions, which reserve no connection for
     * backups
     */
    async function demandReplacedWhileFull(name: string, earlier: boolean): Promise<void> {
      const full = await createdDatabase(harness, { project, name, engine: 'mariadb' });
      const params = pathOf(full);
      const { username, password } = await credentials(full);
      const login = ['mariadb', '-NB', `-u${username}`, `-p${password}`, '-h127.0.0.1', name];
      const admin = ['mariadb', '--defaults-extra-file=/etc/davit/client.cnf', '-NB'];
      const fewer = `SET GLOBAL max_connections = 151; ALTER USER ${username}@'%' WITH MAX_USER_CONNECTIONS 0;`;
      if (earlier) await inDatabase(harness, full, admin, fewer);
      await using _ = new HeldConnections(harness, full, [...login, '--execute=SELECT SLEEP(600)'], 160);
      await answers(() => inDatabase(harness, full, [...login, '--execute=SELECT 1']), /ERROR (1040|1226)/);

      if (!earlier) await done(harness.client.backUpDatabase({ params, query, body: {} }));
      await done(harness.client.rotateDatabasePassword({ params, query }));

      const tried = inDatabase(harness, full, [...login, '--execute=SELECT 1']);
      await assert.rejects(tried, /Access denied|account is locked/i);
    }

    it('cannot prevent a backup or a password rotation by taking all connections', inLong, () =>
      demandReplacedWhileFull('filled', false),
    );

    it('cannot prevent a password rotation by taking all connections of an older server', inLong, () =>
      demandReplacedWhileFull('earlier', true),
    );

    it('ends although a session locks a table, and a backup fails instead of waiting', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'holds', engine: 'mariadb' });
      const params = pathOf(main);
      const { username, password } = await credentials(main);
      const login = ['mariadb', '-NB', `-u${username}`, `-p${password}`, '-h127.0.0.1', 'holds'];
      const admin = ['mariadb', '--defaults-extra-file=/etc/davit/client.cnf', '-NB'];
      const open = assert.rejects(
        inDatabase(harness, main, [...login, '--execute=CREATE TABLE held AS SELECT SLEEP(86400) a']),
      );
      const holding = "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'CREATE TABLE held%';";
      await answers(() => inDatabase(harness, main, admin, holding), /1/);

      const backup = await harness.client.backUpDatabase({ params, query, body: {} });
      const { log } = await done(harness.client.rotateDatabasePassword({ params, query }));

      assert.match(`${backup.status} ${backup.error}`, /^failed .*a session of an app locks a table/);
      assert.match(log?.join('\n') ?? '', /could not be updated, .*held/);
      await open;
      await assert.rejects(
        inDatabase(harness, main, [...login, '--execute=SELECT 1']),
        /Access denied|account is locked/i,
      );
      await done(harness.client.backUpDatabase({ params, query, body: {} }));
    });

    it('ends together with its open connections after a password rotation', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'ends', engine: 'mariadb' });
      const { username, password } = await credentials(main);
      const login = [`-u${username}`, `-p${password}`, '-h127.0.0.1', 'ends'];
      const open = inDatabase(harness, main, ['mariadb', '-NB', ...login], 'SELECT SLEEP(600);');
      const ended = assert.rejects(open, /mariadb ended with 1: [\s\S]*ERROR/);

      await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));

      await ended;
    });
  });

  describe('on Redis', () => {
    /**
     * Sends commands to Redis.
     * @returns the responses, one for each line, without the response to AUTH
     */
    async function redis(reference: string, ...lines: string[]): Promise<string[]> {
      const { password } = await credentials(reference);
      const said = [`AUTH default ${password}`, ...lines, ''].join('\n');
      const output = await inDatabase(harness, reference, ['redis-cli', '--no-auth-warning'], said);
      return output.trim().split(/\r?\n/).slice(1);
    }

    it('cannot create logins or administer the server, and earlier created logins are removed', async () => {
      const main = await createdDatabase(harness, { project, name: 'cache', engine: 'redis' });
      const rights = [
        'ACL SETUSER foo on nopass ~* +@all',
        'ACL SETUSER davit_admin off',
        'ACL LIST',
        'MODULE LIST',
        'DEBUG JMAP',
        'SHUTDOWN ABORT',
        'REPLICAOF 127.0.0.1 1',
        'SLAVEOF 127.0.0.1 1',
        'CONFIG GET dir',
        'CONFIG SET requirepass x',
        'CLIENT PAUSE 100000 ALL',
        `EVAL "return redis.call('ACL','LIST')" 0`,
      ];
      const allowed: string[] = [];
      for (const right of rights)
        if (!/NOPERM|ACL failure|no permissions|not allowed/i.test((await redis(main, right)).join(' ')))
          allowed.push(right);
      assert.deepEqual(allowed, []);
      const usual = ['SET a 1', 'GET a', 'CLIENT SETNAME app', 'EVAL "return 7" 0', 'PUBLISH c x', 'DBSIZE'];
      assert.deepEqual(await redis(main, ...usual), ['OK', '1', 'OK', '7', '0', '1']);

      await asBeforeTheRules(main);
      await redis(main, 'ACL SETUSER foo on nopass ~* +@all', 'ACL SETUSER davit_admin off');
      await withRules(main);

      const foo = await inDatabase(harness, main, ['redis-cli', '--no-auth-warning'], 'AUTH foo x\nGET a\n');
      assert.match(foo, /WRONGPASS/);
      assert.deepEqual(await redis(main, 'GET a'), ['1']);
      await answers(async () => (await harness.client.getDatabase({ params: pathOf(main) })).status, /running/);
      await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));
    });

    it('cannot replicate another server through settings from an earlier version', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'copy-to', engine: 'redis' });
      const other = await createdDatabase(harness, { project, name: 'copy-from', engine: 'redis' });
      await Promise.all([main, other].map(asBeforeTheRules));
      await redis(other, 'SET planted 1');
      const { password } = await credentials(other);
      await redis(main, `CONFIG SET masterauth ${password}`, `REPLICAOF ${await addressOf(other)} 6379`);
      await answers(() => redis(main, 'ROLE', 'GET planted'), /^slave,.*,connected,.*,1$/);
      assert.match((await redis(main, 'CONFIG REWRITE')).join(' '), /Permission denied/, 'a restart ends it too');

      await withRules(main);

      assert.deepEqual((await redis(main, 'ROLE'))[0], 'master');
      assert.deepEqual(await redis(main, 'SET own 1', 'GET planted'), ['OK', '1']);
      assert.match((await redis(other, 'ROLE')).join(), /^master,\d+,?$/, 'its data is no longer sent');
    });

    it('cannot copy the data through sessions from an earlier version', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'copied', engine: 'redis' });
      await asBeforeTheRules(main);
      await using clients = await RedisClients.create(harness, main);
      const watches = await clients.hold('MONITOR');
      const copies = await clients.hold('REPLCONF listening-port 7777', 'REPLCONF ip-address 192.0.2.1', 'PSYNC ? -1');
      await answers(() => redis(main, 'INFO replication'), /ip=192\.0\.2\.1,port=7777,state=online/);
      await redis(main, 'SET a 1', 'FAILOVER TO 192.0.2.1 7777');
      await answers(() => redis(main, 'INFO replication'), /master_failover_state:waiting-for-sync/);

      await withRules(main);

      const told = (await redis(main, 'INFO replication')).join();
      assert.match(told, /role:master,connected_slaves:0,.*master_failover_state:no-failover/);
      await until(
        'the sessions end',
        async () => [watches(), copies()],
        (ended) => !ended.includes(false),
      );
    });

    it('ends together with its open connections after a password rotation', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'open', engine: 'redis' });
      const { password } = await credentials(main);
      const command = ['redis-cli', '--no-auth-warning'];
      const open = inDatabase(harness, main, command, `AUTH default ${password}\nSUBSCRIBE news\n`);
      const ended = assert.rejects(open, /Server closed the connection/);
      await answers(() => redis(main, 'PUBSUB NUMSUB news'), /news,1/);

      await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));

      await ended;
    });

    it('ends with a server restart if a script keeps the server busy', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'busy', engine: 'redis' });
      const params = pathOf(main);
      const { password } = await credentials(main);
      const command = ['redis-cli', '--no-auth-warning'];
      const script = `EVAL "redis.call('set',KEYS[1],'x') while true do end" 1 a`;
      const open = assert.rejects(inDatabase(harness, main, command, `AUTH default ${password}\n${script}\n`));
      await answers(() => redis(main, 'PING'), /BUSY/);

      const { log } = await done(harness.client.rotateDatabasePassword({ params, query }));

      assert.match(log?.join('\n') ?? '', /restarts the database server/);
      await open;
      assert.match(await inDatabase(harness, main, command, `AUTH default ${password}\n`), /WRONGPASS/);
      assert.deepEqual(await redis(main, 'PING'), ['PONG']);
      assert.equal((await harness.client.getDatabase({ params })).status, 'running');
    });

    it('has the recorded rights after concurrent changes of the access to CONFIG', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'rights', engine: 'redis' });
      const params = pathOf(main);
      const patch = (allow_config: boolean) => harness.client.patchDatabase({ params, body: { allow_config } });
      for (let round = 0; round < 3; round++) {
        await Promise.all([true, false, true, false].map(patch));
        const { allow_config } = await harness.client.getDatabase({ params });
        const answer = (await redis(main, 'CONFIG GET maxmemory')).join(' ');
        assert.equal(/NOPERM|no permissions/.test(answer), !allow_config, `${allow_config}: ${answer}`);
      }
    });

    it('can be given access to CONFIG, and the access can be removed', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'config', engine: 'redis' });
      await harness.client.patchDatabase({ params: pathOf(main), body: { allow_config: true } });
      assert.deepEqual(await redis(main, 'CONFIG SET requirepass planted'), ['OK']);
      await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));
      const planted = await inDatabase(harness, main, ['redis-cli', '--no-auth-warning'], 'AUTH default planted\n');
      assert.match(planted, /WRONGPASS/);
      await done(harness.client.restartDatabase({ params: pathOf(main), query }));
      assert.deepEqual((await redis(main, 'CONFIG GET maxmemory'))[0], 'maxmemory');
      await harness.client.patchDatabase({ params: pathOf(main), body: { allow_config: false } });
      assert.match((await redis(main, 'CONFIG GET maxmemory')).join(' '), /NOPERM|no permissions/);
    });

    it('cannot let other clients in with CONFIG during a password rotation', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'opened', engine: 'redis' });
      await harness.client.patchDatabase({ params: pathOf(main), body: { allow_config: true } });
      await using clients = await RedisClients.create(harness, main);
      await clients.openByConfig();

      await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));

      assert.deepEqual(await clients.stop(), { refused: true, answering: 0 });
      const none = await inDatabase(harness, main, ['redis-cli', '--no-auth-warning'], 'PING\n');
      assert.match(none, /NOAUTH/);
      assert.deepEqual((await redis(main, 'CONFIG GET maxmemory'))[0], 'maxmemory');
    });

    it('ends and loses CONFIG although the login shuts the platform out with CONFIG', inLong, async () => {
      const main = await createdDatabase(harness, { project, name: 'shut-out', engine: 'redis' });
      const params = pathOf(main);
      const { password } = await credentials(main);
      await harness.client.patchDatabase({ params, body: { allow_config: true } });
      await redis(main, 'SET a 1', 'CONFIG SET maxclients 1');
      const held = inDatabase(
        harness,
        main,
        ['redis-cli', '--no-auth-warning'],
        `AUTH default ${password}\nSUBSCRIBE a\n`,
      );
      const ended = assert.rejects(held);
      await answers(() => redis(main, 'PING', 'PING'), /max number of clients/);

      const { log } = await done(harness.client.rotateDatabasePassword({ params, query }));

      assert.match(log?.join('\n') ?? '', /Davit restarts the database server/);
      await ended;
      const former = await inDatabase(harness, main, ['redis-cli', '--no-auth-warning'], `AUTH default ${password}\n`);
      assert.match(former, /WRONGPASS/);
      assert.deepEqual(await redis(main, 'GET a'), ['1']);

      await redis(main, `CONFIG SET bind ${await addressOf(main)}`);
      await harness.client.patchDatabase({ params, body: { allow_config: false } });

      await answers(() => redis(main, 'CONFIG GET maxmemory'), /NOPERM|no permissions/);
      assert.deepEqual(await redis(main, 'GET a'), ['1']);
    });

    /** Applies the login rules to a database, as after an update of Davit. */
    async function withRules(reference: string): Promise<void> {
      await harness.instance.kill();
      const db = new DatabaseSync(join(harness.instance.dataDir, 'davit.db'));
      db.prepare('UPDATE databases SET rules = 0 WHERE name = ?').run(pathOf(reference).database);
      db.close();
      await harness.instance.start();
      await answers(() => redis(reference, 'ACL WHOAMI'), /NOPERM/);
      await until(
        'the rules',
        async () => rulesOf(reference),
        (rules) => rules > 0,
      );
    }

    /** Returns the version of the login rules that a database has. */
    function rulesOf(reference: string): number {
      using db = new DatabaseSync(join(harness.instance.dataDir, 'davit.db'), { readOnly: true });
      const row = db.prepare('SELECT rules FROM databases WHERE name = ?').get(pathOf(reference).database);
      return Number(row?.rules);
    }

    async function addressOf(reference: string): Promise<string> {
      return (await inDatabase(harness, reference, ['hostname', '-i'])).trim();
    }

    /** Makes the server run with the rights that logins had in earlier versions. */
    async function asBeforeTheRules(reference: string): Promise<void> {
      const written = await inDatabase(harness, reference, ['cat', '/etc/davit/server.conf']);
      const before = written.replaceAll(/^(user default on \S+ ).*$/gm, '$1~* &* +@all');
      await inDatabase(harness, reference, ['tee', '/etc/davit/server.conf'], before);
      const label = [`davit.instance=${harness.instance.id}`, 'davit.kind=database', `davit.app=${reference}`];
      const [{ Id = '' } = {}] = await harness.docker.listContainers({ filters: { label } });
      await harness.docker.getContainer(Id).restart();
      await answers(() => redis(reference, 'ACL WHOAMI'), /^default$/);
    }
  });
});

/** Repeats a request until its response or its error matches. */
async function answers(request: () => Promise<unknown>, expected: RegExp): Promise<void> {
  const said = async () => String(await request().catch(String));
  await until(String(expected), said, (answer) => expected.test(answer));
}
