import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'node:test';
import { patience, until } from '@davit/testkit/waiting';
import type { Program } from '../../../packages/daemon/src/adapters/engine/execution.ts';
import type { Group } from '../../../packages/daemon/src/adapters/engine/group.ts';
import type { MadeEngine } from '../../../packages/daemon/src/adapters/engine/made-images.ts';
import { DATABASE_FILES, MADE_ENGINES } from '../../../packages/daemon/src/adapters/engine/made-images.ts';
import type { Stage } from '../../../packages/daemon/test/conformance/rig.ts';
import { createStage } from '../../../packages/daemon/test/conformance/rig.ts';
import type { DockerRig } from '../../support/docker-rig.ts';
import { createDockerRig } from '../../support/docker-rig.ts';
import { inLong } from '../../support/tiers.ts';

/** Password with all characters that could break a script or a statement. */
const PASSWORD = `it's "se\\cr%t" $HOME \`x\``;

/** Timeout for building an image, which downloads packages. */
const making = () => AbortSignal.timeout(5 * 60_000);
const soon = () => patience();

describe('locally built database images', { skip: inLong.skip }, () => {
  let rig: DockerRig;
  let stage: Stage;
  before(async () => {
    rig = await createDockerRig();
    stage = createStage(rig);
  });
  afterEach(async () => {
    await stage.clear();
    for (const { name } of await rig.engine.volumes()) await rig.engine.removeVolume(name);
  });
  after(() => rig.cleanup());

  /** Starts a database on a volume. A second call with the same number uses the same data. */
  async function started(engine: MadeEngine, n: number, change: Partial<Group>): Promise<string> {
    const made = (await rig.engine.madeImages()).find((image) => image.engine === engine);
    assert.ok(made, `this machine makes no ${engine}`);
    const image = await rig.engine.makeImage(engine, made.version, making());
    const { dataPath, uid, port } = MADE_ENGINES[engine];
    assert.deepEqual(image.exposedPorts, [port]);
    const name = `davit-${rig.davitId}-v${n}`;
    await rig.engine.ensureVolume(name, 'acme/production/orders', 'database');
    const [id = ''] = await rig.engine.createGroup({
      ...(await stage.group({ imageId: image.id })),
      ...{ kind: 'database', app: 'acme/production/orders', deployment: null },
      volumes: [{ name, path: dataPath }],
      ...change,
      files: [
        { path: DATABASE_FILES.password, bytes: Buffer.from(PASSWORD), mode: 0o400, uid, gid: uid },
        ...(change.files ?? []).map((file) => ({ ...file, uid, gid: uid })),
      ],
    });
    await rig.engine.start(id);
    return id;
  }

  async function run(id: string, program: Program, stdin = ''): Promise<string> {
    const input = { stdin: bytesOf(stdin), signal: soon() };
    const { stdout, exited } = await rig.engine.execute(id, program, input);
    const output = await text(stdout);
    const { exitCode, stderrTail } = await exited;
    assert.equal(exitCode, 0, stderrTail);
    return output.trim();
  }

  async function ready(id: string, program: Program): Promise<void> {
    const answers = async () => {
      const { exited } = await rig.engine.execute(id, program, { signal: soon() });
      return (await exited).exitCode === 0;
    };
    try {
      await until('it answers', answers);
    } catch (cause) {
      const said = (await rig.engine.lastLines(id, 20)).map(({ line }) => line).join('\n');
      throw new Error(`it does not answer, and says: ${said}`, { cause });
    }
  }

  /** Checks that the container's public data contains no secret, and that its server does not run as root. */
  async function keepsToItself(id: string, user: string): Promise<void> {
    const inspected = JSON.stringify(await rig.docker.getContainer(id).inspect());
    assert.ok(!inspected.includes(JSON.stringify(PASSWORD).slice(1, -1)), 'the password is in what the engine shows');
    const { Processes, Titles } = await rig.docker.getContainer(id).top();
    const [uid, command] = [Titles.indexOf('UID'), Titles.indexOf('CMD')];
    const servers = Processes.filter((process: string[]) => !process[command]?.includes('docker-init'));
    assert.ok(servers.length > 0 && servers.every((process: string[]) => process[uid] !== 'root'), user);
    assert.ok(Processes.every((process: string[]) => !process[command]?.includes(PASSWORD)));
  }

  async function replaced(id: string, again: () => Promise<string>): Promise<string> {
    await rig.engine.stop(id, { signal: 'SIGTERM', graceS: 20 });
    await rig.engine.remove(id);
    return again();
  }

  it('PostgreSQL starts, requires its password, supports extensions and keeps its data', async () => {
    const env = { POSTGRES_PASSWORD_FILE: DATABASE_FILES.password, POSTGRES_USER: 'owner', POSTGRES_DB: 'shop' };
    const start = () => started('postgres', 1, { env, args: ['-c', 'max_connections=17'], stopSignal: 'SIGINT' });
    const psql = (password: string) => ({
      command: ['psql', '-h', '127.0.0.1', '-U', 'owner', '-At', '-v', 'ON_ERROR_STOP=1', 'shop'],
      env: { PGPASSWORD: password },
      user: 'postgres',
    });
    const isReady = { command: ['pg_isready', '-h', '127.0.0.1', '-q'] };
    const id = await start();
    await ready(id, isReady);

    await run(id, psql(PASSWORD), 'CREATE EXTENSION "uuid-ossp"; CREATE TABLE t AS SELECT \'käse\' AS word;');
    const wrong = await rig.engine.execute(id, psql('wrong'), { signal: soon() });
    assert.notEqual((await wrong.exited).exitCode, 0);
    await keepsToItself(id, 'postgres');

    const next = await replaced(id, start);
    await ready(next, isReady);
    assert.equal(await run(next, psql(PASSWORD), 'SELECT word FROM t; SHOW max_connections;'), 'käse\n17');
    const dump = { command: ['pg_dump', '-U', 'owner', '--data-only', 'shop'], user: 'postgres' };
    assert.match(await run(next, dump), /COPY public\.t \(word\) FROM stdin;\nkäse/);
  });

  it('PostgreSQL recovers from an interrupted first start and refuses a foreign data folder', async () => {
    const env = { POSTGRES_PASSWORD_FILE: DATABASE_FILES.password };
    const start = () => started('postgres', 2, { env });
    const id = await start();
    await until('it is being filled', async () => {
      const { Processes } = await rig.docker.getContainer(id).top();
      return Processes.some((process: string[]) => /initdb|--boot|--single/.test(process.at(-1) ?? ''));
    });
    await rig.engine.remove(id);

    const next = await start();
    await ready(next, { command: ['pg_isready', '-h', '127.0.0.1', '-q'] });
    const psql = { command: ['psql', '-U', 'postgres', '-Atc', 'SELECT 1'] };
    assert.equal(await run(next, psql), '1');
    await run(next, { command: ['rm', '/var/lib/postgresql/data/PG_VERSION'] });

    const last = await replaced(next, start);
    assert.notEqual((await rig.engine.waitExit(last, soon())).exitCode, 0);
    assert.match((await rig.engine.lastLines(last, 5)).map(({ line }) => line).join(), /is left alone/);
  });

  it('MariaDB starts, requires its password and keeps its data', async () => {
    const env = {
      ...{ MARIADB_ROOT_PASSWORD_FILE: DATABASE_FILES.password, MARIADB_DATABASE: 'shop_1' },
      ...{ MARIADB_USER: 'owner', MARIADB_PASSWORD_FILE: DATABASE_FILES.password },
    };
    const start = () => started('mariadb', 3, { env, args: ['--max-connections=17'] });
    const client = (user: string, password: string) => ({
      command: ['mariadb', '-h', '127.0.0.1', '-u', user, '-N', ...(user === 'owner' ? ['shop_1'] : [])],
      env: { MYSQL_PWD: password },
    });
    const isReady = { command: ['mariadb-admin', 'ping', '-h', '127.0.0.1'], env: { MYSQL_PWD: PASSWORD } };
    const id = await start();
    await ready(id, isReady);

    await run(id, client('owner', PASSWORD), "CREATE TABLE t (word TEXT); INSERT INTO t VALUES ('käse');");
    for (const user of ['owner', 'root', 'nobody']) {
      const wrong = await rig.engine.execute(id, client(user, ''), { signal: soon() });
      assert.notEqual((await wrong.exited).exitCode, 0, user);
    }
    await keepsToItself(id, 'mysql');

    const next = await replaced(id, start);
    await ready(next, isReady);
    assert.equal(await run(next, client('owner', PASSWORD), 'SELECT word, @@max_connections FROM t'), 'käse\t17');
    const zone = "SELECT CONVERT_TZ('2026-01-01 12:00', 'UTC', 'Europe/Berlin')";
    assert.equal(await run(next, client('root', PASSWORD), zone), '2026-01-01 13:00:00');
    await run(next, {
      command: ['mariadb-upgrade', '-u', 'root', '--check-if-upgrade-is-needed'],
      env: { MYSQL_PWD: PASSWORD },
    })
      // The program exits with 1 if there is nothing to do.
      .catch((error: unknown) => assert.match(String(error), /already/));
    const dump = { command: ['mariadb-dump', '-u', 'root', 'shop_1'], env: { MYSQL_PWD: PASSWORD } };
    assert.match(await run(next, dump), /INSERT INTO `t` VALUES\s+\('käse'\)/);
  });

  it('Redis starts with its configuration and keeps its data', async () => {
    const secret = 'not-a-word-of-ours';
    const config = `requirepass ${secret}\nappendonly yes\n`;
    const files = [{ path: '/etc/davit/redis.conf', bytes: Buffer.from(config), mode: 0o400 }];
    const start = () => started('redis', 4, { args: ['/etc/davit/redis.conf'], files });
    const cli = (...words: string[]) => ({ command: ['redis-cli', ...words], env: { REDISCLI_AUTH: secret } });
    const id = await start();
    await ready(id, cli('-e', 'PING'));

    assert.equal(await run(id, cli('SET', 'word', 'käse')), 'OK');
    assert.match(await run(id, { command: ['redis-cli', 'GET', 'word'] }), /NOAUTH/);
    await keepsToItself(id, 'redis');

    const next = await replaced(id, start);
    await ready(next, cli('-e', 'PING'));
    assert.equal(await run(next, cli('--raw', 'GET', 'word')), 'käse');
  });

  it('a later engine client reuses an image that exists already', async () => {
    const first = await rig.engine.makeImage('postgres', '15', making());

    await using later = rig.reopen();
    assert.equal((await later.makeImage('postgres', '15', making())).id, first.id);
  });
});

async function* bytesOf(words: string): AsyncGenerator<Buffer> {
  if (words !== '') yield Buffer.from(words);
}
