/**
 * A database on a real engine accepts only the password of its record, and ends sessions that were opened with another
 * password.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { Backup, Database, DatabaseCredentials } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { createdDatabase, done, inDatabase, pathOf, projectOf } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { POSTGRES_DEAF } from '../../support/login-attacks.ts';
import { SlowSignIn } from '../../support/slow-sign-in.ts';
import { inLong, someOf } from '../../support/tiers.ts';

type Engine = 'postgres' | 'mariadb' | 'redis';
type Login = Pick<DatabaseCredentials, 'username' | 'password' | 'database'>;

/** Returns a client command in the container of a database. */
const CLIENTS: Record<Engine, (login: Login, statements: string) => { command: string[]; stdin: string }> = {
  postgres: ({ username, password, database }, stdin) => ({
    command: ['psql', '-XqAt', `postgresql://${username}:${password}@127.0.0.1/${database}`],
    stdin,
  }),
  mariadb: ({ username, password, database }, stdin) => ({
    command: ['mariadb', '-h127.0.0.1', '-N', `-u${username}`, `-p${password}`, String(database)],
    stdin,
  }),
  redis: ({ username, password }, statements) => ({
    command: ['redis-cli', '--no-auth-warning'],
    stdin: `AUTH ${username} ${password}\n${statements}\n`,
  }),
};
const IS_IN: Record<Engine, string> = {
  postgres: "SELECT 'is', 'in';",
  mariadb: "SELECT 'is', 'in';",
  redis: 'SET a is|in\nGET a',
};
/** Statements that wait for a minute before they report success. */
const STAYS: Record<Engine, string> = {
  postgres: `SELECT pg_sleep(60); ${IS_IN.postgres}`,
  mariadb: `DO SLEEP(60); ${IS_IN.mariadb}`,
  redis: IS_IN.redis,
};
const ANSWER = /is[|\t]in/;
const REFUSED = /authentication failed|no pg_hba[.]conf entry|Access denied|WRONGPASS/;

describe('database password management', () => {
  let harness: LiveHarness;
  let project: string;
  before(async () => {
    harness = await LiveHarness.create();
    project = await projectOf(harness);
    await harness.client.createEnvironment({ params: { project }, body: { slug: 'staging' } });
  });
  after(() => harness[Symbol.asyncDispose]());

  const query = { wait: 'true' } as const;
  const loginOf = (reference: string) =>
    harness.client.getDatabaseCredentials({ params: pathOf(reference) }) as Promise<DatabaseCredentials>;

  /** Returns the output of an app's client, even if its login is refused. */
  async function clientOf(engine: Engine, reference: string, login: Login, statements: string): Promise<string> {
    const { command, stdin } = CLIENTS[engine](login, statements);
    return inDatabase(harness, reference, command, stdin).catch(({ message }: Error) => message);
  }

  for (const engine of ['postgres', 'mariadb', 'redis'] as const)
    it(`accepts only a new password for a ${engine} database from the trash, even during startup`, inLong, () =>
      comesFromTrash(engine),
    );

  async function comesFromTrash(engine: Engine): Promise<void> {
    const name = `main-${engine}`;
    const main = await createdDatabase(harness, { project, name, engine });
    await done(harness.client.backUpDatabase({ params: pathOf(main), query, body: {} }));
    const [{ id }] = (await harness.client.listDatabaseBackups({ params: pathOf(main) })) as [Backup];
    const ofMain = await loginOf(main);
    const params = { backup: String(id) };
    await done(harness.client.restoreBackup({ params, query, body: { in_place: true, confirm: name } }));
    const trashed = (await harness.client.listTrashedDatabases()) as Database[];
    const former = trashed.find(({ reference }) => reference === main) ?? assert.fail('it is not in the trash');

    const into = `${project}/staging/${engine}`;
    const answers: string[] = [];
    let isBack = false;
    const bringBack = done(
      harness.client.restoreDatabase({ params: { trashed: String(former.id) }, query, body: { into } }),
    ).finally(() => {
      isBack = true;
    });
    while (!isBack) answers.push(await clientOf(engine, into, ofMain, STAYS[engine]));
    await bringBack;

    assert.deepEqual(
      answers.filter((text) => ANSWER.test(text)),
      [],
    );
    const own = await loginOf(into);
    assert.notEqual(own.password, ofMain.password);
    assert.match(await clientOf(engine, into, ofMain, IS_IN[engine]), REFUSED);
    assert.match(await clientOf(engine, main, own, IS_IN[engine]), REFUSED);
    assert.match(await clientOf(engine, into, own, IS_IN[engine]), ANSWER);
    assert.match(await clientOf(engine, main, ofMain, IS_IN[engine]), ANSWER);
  }

  /** Makes the daemon apply the access rules to a running database. */
  async function applyRules(name: string): Promise<void> {
    using store = new DatabaseSync(join(harness.instance.dataDir, 'davit.db'));
    store.exec(`PRAGMA busy_timeout = 5000; UPDATE databases SET rules = 0 WHERE name = '${name}'`);
    const version = store.prepare('SELECT rules FROM databases WHERE name = ?');
    await until('the rules are applied', () => version.get(name)?.rules !== 0);
  }

  for (const [engine, plants, sleeps] of someOf([
    [
      'postgres',
      (password: string) => `SET ROLE none; ALTER ROLE CURRENT_USER PASSWORD '${password}'; ${IS_IN.postgres}`,
      "SET ROLE none; SELECT 'is', 'in' FROM pg_stat_activity WHERE wait_event = 'PgSleep';",
    ],
    [
      'mariadb',
      (password: string) => `SET PASSWORD = PASSWORD('${password}'); ${IS_IN.mariadb}`,
      "SELECT 'is', 'in' FROM information_schema.processlist WHERE state = 'User sleep';",
    ],
  ] as const))
    it(`ends the sessions of a ${engine} database only if the rules replace a changed password`, async () => {
      const name = `own-${engine}`;
      const reference = await createdDatabase(harness, { project, name, engine });
      const own = await loginOf(reference);
      const planted = { ...own, password: 'planted' };
      const isOpen = (login: Login) => async () => ANSWER.test(await clientOf(engine, reference, login, sleeps));

      const kept = clientOf(engine, reference, own, STAYS[engine]);
      await until('a session is open', isOpen(own));
      await applyRules(name);
      assert.ok(await isOpen(own)(), 'a session with the password of the record goes on');

      assert.match(await clientOf(engine, reference, own, plants(planted.password)), ANSWER);
      const ended = clientOf(engine, reference, planted, STAYS[engine]);
      await until('a session is open', isOpen(planted));
      await applyRules(name);

      for (const answer of await Promise.all([kept, ended])) assert.doesNotMatch(answer, ANSWER);
      assert.match(await clientOf(engine, reference, planted, IS_IN[engine]), REFUSED);
      assert.match(await clientOf(engine, reference, own, IS_IN[engine]), ANSWER);
    });

  const addressOf = async (reference: string) => (await inDatabase(harness, reference, ['hostname', '-i'])).trim();

  it('ends a PostgreSQL session that was signing in while the password was replaced', inLong, async () => {
    const name = 'late-postgres';
    const reference = await createdDatabase(harness, { project, name, engine: 'postgres' });
    const own = await loginOf(reference);
    const plant = `SET ROLE none; ALTER ROLE CURRENT_USER PASSWORD 'planted'; ${IS_IN.postgres}`;
    assert.match(await clientOf('postgres', reference, own, plant), ANSWER);
    const host = await addressOf(reference);
    const login = { username: String(own.username), password: 'planted', database: String(own.database) };
    let isApplied = false;
    const applied = applyRules(name).finally(() => {
      isApplied = true;
    });

    let late = await SlowSignIn.begin(host, login);
    while (!isApplied) {
      const later = await SlowSignIn.begin(host, login).catch(() => null);
      // The server rejects the login from now on.
      if (later === null) break;
      late[Symbol.dispose]();
      late = later;
    }
    assert.ok(await late.finish(), 'the proof fits the verifier that the server has read');
    await applied;

    await late.ended;
    assert.match(await clientOf('postgres', reference, { ...own, password: 'planted' }, IS_IN.postgres), REFUSED);
    assert.match(await clientOf('postgres', reference, own, IS_IN.postgres), ANSWER);
  });

  it('replaces the password of a PostgreSQL database although a session does not end', inLong, async () => {
    const name = 'deaf-postgres';
    const reference = await createdDatabase(harness, { project, name, engine: 'postgres' });
    const own = await loginOf(reference);
    const planted = { ...own, password: 'planted' };
    const plant = `SET ROLE none; ALTER ROLE CURRENT_USER PASSWORD 'planted'; ${IS_IN.postgres}`;
    assert.match(await clientOf('postgres', reference, own, plant), ANSWER);
    const held = clientOf('postgres', reference, planted, POSTGRES_DEAF('held'));
    const isDeaf = "SELECT 'is', 'in' FROM pg_stat_activity WHERE query LIKE '%xpath(%' AND pid <> pg_backend_pid();";
    await until('the session runs', async () =>
      ANSWER.test(await clientOf('postgres', reference, planted, `SET ROLE none; ${isDeaf}`)),
    );

    await applyRules(name);
    await until('the rules are complete', async () =>
      ANSWER.test(await clientOf('postgres', reference, own, IS_IN.postgres)),
    );

    assert.match(await clientOf('postgres', reference, planted, IS_IN.postgres), REFUSED);
    assert.doesNotMatch(await held, ANSWER);
    const { status, status_reason } = (await harness.client.getDatabase({ params: pathOf(reference) })) as Database;
    assert.deepEqual([status, status_reason], ['running', null]);
  });

  it(
    'ends sessions of privileged MariaDB users when the rules are applied, even if clients reconnect',
    inLong,
    async () => {
      const name = 'rights-mariadb';
      const reference = await createdDatabase(harness, { project, name, engine: 'mariadb' });
      const own = await loginOf(reference);
      const admin = ['mariadb', '--defaults-extra-file=/etc/davit/client.cnf', '-NB'];
      const sessions = (user: string | null) =>
        inDatabase(
          harness,
          reference,
          admin,
          `SELECT COUNT(*) FROM information_schema.processlist WHERE user = '${user}';`,
        ).then(Number);
      await inDatabase(
        harness,
        reference,
        admin,
        `CREATE USER stranger@'%' IDENTIFIED BY 'planted'; GRANT ALL PRIVILEGES ON *.* TO stranger@'%' WITH GRANT OPTION;
       CREATE ROLE ruler; GRANT ALL PRIVILEGES ON *.* TO ruler; GRANT ruler TO ${own.username}@'%';
       SET DEFAULT ROLE ruler FOR ${own.username}@'%';`,
      );
      const client = 'mariadb -ustranger -pplanted -h127.0.0.1 -e "SELECT SLEEP(RAND())" 2>&1';
      const loop = `until ${client} | grep -q -i "locked\\|denied"; do :; done`;
      const loops = Array.from({ length: 4 }, () => inDatabase(harness, reference, ['sh', '-c', loop]));
      const privileged = clientOf('mariadb', reference, own, STAYS.mariadb);
      await until(
        'sessions are open',
        async () => (await sessions('stranger')) > 2 && (await sessions(own.username)) > 0,
      );

      await applyRules(name);

      assert.deepEqual([await sessions('stranger'), await sessions(own.username)], [0, 0]);
      assert.doesNotMatch(await privileged, ANSWER);
      await Promise.all(loops);
      assert.match(await clientOf('mariadb', reference, own, IS_IN.mariadb), ANSWER);
    },
  );
});
