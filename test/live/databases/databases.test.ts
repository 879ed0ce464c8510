/**
 * Databases on a real engine: data is kept whatever happens to the container, until the database is deleted by name.
 */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Database, DatabaseCredentials, DatabaseEngine, Task } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

interface Speaking {
  version: string;
  /** Returns a command that runs a statement like an app, with the login and the internal host name. */
  ask: (credentials: DatabaseCredentials, words: string) => { command: string[]; env: string[] };
  write: string;
  read: string;
}

const ENGINES: Partial<Record<DatabaseEngine, Speaking>> = {
  postgres: {
    version: '15',
    ask: ({ url }, words) => ({ command: ['psql', '-At', '-v', 'ON_ERROR_STOP=1', '-c', words, url], env: [] }),
    write: "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('here')",
    read: 'SELECT word FROM kept',
  },
  mariadb: {
    version: '10.11',
    ask: ({ username, password, host, database }, words) => ({
      command: ['mariadb', '-N', '-B', '-h', host, '-u', username, '-e', words, database ?? ''],
      env: [`MYSQL_PWD=${password}`],
    }),
    write: "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('here')",
    read: 'SELECT word FROM kept',
  },
  redis: {
    version: '7.0',
    ask: ({ password, host }, words) => ({
      command: ['redis-cli', '--no-auth-warning', '-h', host, ...words.split(' ')],
      env: [`REDISCLI_AUTH=${password}`],
    }),
    write: 'SET kept here',
    read: 'GET kept',
  },
};

/** Engines whose images are not built by Davit. Their tests run only if the engine already has the image. */
const PULLED: Partial<Record<DatabaseEngine, Speaking & { image: string }>> = {
  mysql: {
    version: '8.4',
    image: 'mysql:8.4',
    ask: ({ username, password, host, database }, words) => ({
      command: ['mysql', '-N', '-B', '-h', host, '-u', username, '-e', words, database ?? ''],
      env: [`MYSQL_PWD=${password}`],
    }),
    write: "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('here')",
    read: 'SELECT word FROM kept',
  },
  mongodb: {
    version: '8.0',
    image: 'mongo:8.0',
    ask: ({ url }, words) => ({ command: ['mongosh', '--quiet', url, '--eval', words], env: [] }),
    write: "db.kept.insertOne({ word: 'here' }).acknowledged",
    read: 'db.kept.findOne().word',
  },
};

/** Returns the options of a test for an engine whose image may be missing. */
async function wherePulled(engine: DatabaseEngine): Promise<{ skip: string | boolean }> {
  const image = PULLED[engine]?.image ?? '';
  const isHere = await new Docker()
    .getImage(image)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  return isHere ? inLong : { skip: `the image ${image} is not at this engine, and no registry is asked for it here` };
}

const [mysqlHere, mongodbHere] = await Promise.all([wherePulled('mysql'), wherePulled('mongodb')]);

describe('databases on a real engine', () => {
  let harness: LiveHarness;
  let project: string;
  before(async () => {
    harness = await LiveHarness.create();
    project = await harness.project();
  });
  after(() => harness[Symbol.asyncDispose]());

  const paramsOf = ({ environment, name }: Pick<Database, 'environment' | 'name'>) => ({
    project,
    environment,
    database: name,
  });
  const succeeded = (task: Task) => assert.equal(task.status, 'succeeded', `${task.error}\n${task.log?.join('\n')}`);
  const waiting = { query: { wait: 'true' as const } };

  async function make(engine: DatabaseEngine, name: string): Promise<Database> {
    const version = (ENGINES[engine] ?? PULLED[engine])?.version;
    const body = { project, name, engine, version };
    succeeded(await harness.client.createDatabase({ ...waiting, body }));
    return harness.client.getDatabase({ params: { project, environment: 'production', database: name } });
  }

  async function containerOf({ reference }: Database): Promise<string> {
    const label = `davit.app=${reference}`;
    const [container, second] = await harness.docker.listContainers({
      all: true,
      filters: { label: ['davit.kind=database', label] },
    });
    assert.equal(second, undefined, `${reference} has two containers`);
    if (container === undefined) throw new Error(`${reference} has no container`);
    return container.Id;
  }

  async function exec(database: Database, { command, env }: { command: string[]; env: string[] }): Promise<string> {
    const container = harness.docker.getContainer(await containerOf(database));
    const started = await container.exec({ Cmd: command, Env: env, AttachStdout: true, AttachStderr: true });
    const stream = await started.start({});
    const output = new PassThrough();
    harness.docker.modem.demuxStream(stream, output, output);
    stream.once('end', () => output.end());
    const said = await text(output);
    const { ExitCode } = await started.inspect();
    assert.equal(ExitCode, 0, said);
    return said.trim();
  }

  async function say(database: Database, what: 'write' | 'read'): Promise<string> {
    const words = ENGINES[database.engine] ?? PULLED[database.engine];
    if (words === undefined) throw new Error(`nothing is said to ${database.engine}`);
    const credentials = await harness.client.getDatabaseCredentials({ params: paramsOf(database) });
    return exec(database, words.ask(credentials, words[what]));
  }

  const readUntilThere = (database: Database) =>
    until('the database answers', () => say(database, 'read').catch(() => null));

  async function livesOn(engine: DatabaseEngine): Promise<void> {
    const database = await make(engine, `${engine}-life`);
    assert.equal(database.status, 'running');
    await say(database, 'write');
    const params = paramsOf(database);

    succeeded(await harness.client.restartDatabase({ params, ...waiting }));
    assert.equal(await say(database, 'read'), 'here', 'after a restart');

    succeeded(await harness.client.stopDatabase({ params, ...waiting }));
    assert.equal((await harness.client.getDatabase({ params })).status, 'stopped');
    succeeded(await harness.client.startDatabase({ params, ...waiting }));
    assert.equal(await say(database, 'read'), 'here', 'after a stop and a start');

    await harness.docker.getContainer(await containerOf(database)).remove({ force: true });
    assert.equal(await readUntilThere(database), 'here', 'after the removal of the container');

    const trashed = await harness.client.deleteDatabase({ params, query: { confirm: database.name } });
    assert.equal(trashed.status, 'trash');
    succeeded(await harness.client.restoreDatabase({ params: { trashed: String(database.id) }, ...waiting }));
    assert.equal(await say(database, 'read'), 'here', 'after the trash');

    await harness.client.deleteDatabase({ params, query: { confirm: database.name } });
    await harness.client.destroyDatabase({
      params: { trashed: String(database.id) },
      query: { confirm: database.name },
    });
    const { Volumes } = await harness.docker.listVolumes({ filters: { label: [`davit.app=${database.reference}`] } });
    assert.deepEqual(Volumes ?? [], []);
    await assert.rejects(containerOf(database), /has no container/);
  }

  it('postgres keeps data through restarts, a removed container and the trash', () => livesOn('postgres'));
  it('mariadb keeps data through restarts, a removed container and the trash', inLong, () => livesOn('mariadb'));
  it('redis keeps data through restarts, a removed container and the trash', inLong, () => livesOn('redis'));

  it('mysql keeps data through restarts, a removed container and the trash', mysqlHere, () => livesOn('mysql'));
  it('mongodb keeps data through restarts, a removed container and the trash', mongodbHere, () => livesOn('mongodb'));

  it('a container has no password in its arguments, variables or processes', inLong, async () => {
    for (const engine of Object.keys(ENGINES) as DatabaseEngine[]) {
      const database = await make(engine, `${engine}-secret`);
      const { password } = await harness.client.getDatabaseCredentials({ params: paramsOf(database) });
      const { Config, Args } = await harness.docker.getContainer(await containerOf(database)).inspect();
      assert.ok(!JSON.stringify([Config, Args]).includes(password), engine);
      const { Processes } = await harness.docker.getContainer(await containerOf(database)).top();
      assert.ok(!JSON.stringify(Processes).includes(password), engine);
    }
  });

  it('a killed daemon resumes the creation and the restart of a database', inLong, async () => {
    for (const afterMs of [50, 400, 900, 1_500]) {
      const name = `killed-${afterMs}`;
      const body = { project, name, engine: 'redis' as const, version: '7.0' };
      const task = await harness.client.createDatabase({ body });
      await delay(afterMs);
      await harness.instance.kill();
      await harness.instance.start();
      const params = { task: String(task.id) };
      succeeded(await harness.client.getTask({ params, ...waiting }));
      const at = { project, environment: 'production', database: name };
      const database = await harness.client.getDatabase({ params: at });
      await say(database, 'write');

      const again = await harness.client.restartDatabase({ params: at });
      await delay(afterMs);
      await harness.instance.kill();
      await harness.instance.start();
      succeeded(await harness.client.getTask({ params: { task: String(again.id) }, ...waiting }));
      assert.equal(await say(database, 'read'), 'here');
      await containerOf(database);
    }
  });

  it('changed limits are applied to the running container', inLong, async () => {
    const database = await make('redis', 'limited');
    const memory_bytes = 128 * 1024 * 1024;
    await harness.client.patchDatabase({ params: paramsOf(database), body: { limits: { cpu: 0.5, memory_bytes } } });
    const { HostConfig } = await harness.docker.getContainer(await containerOf(database)).inspect();
    assert.deepEqual([HostConfig.Memory, HostConfig.NanoCpus], [memory_bytes, 5e8]);
  });

  it('an exposed postgres accepts TLS with a certificate of the CA and refuses plain connections', inLong, async () => {
    const database = await make('postgres', 'open');
    succeeded(await harness.client.exposeDatabase({ params: paramsOf(database), ...waiting }));
    const { exposed } = await harness.client.getDatabaseCredentials({ params: paramsOf(database) });
    assert.ok(exposed);
    assert.ok(exposed.port >= 15_000 && exposed.port <= 15_999);

    const secured = await connected(exposed.port);
    secured.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    assert.equal((await answered(secured)).toString(), 'S');
    const tls = connectTls({ socket: secured, ca: exposed.certificate, servername: exposed.host });
    await new Promise<void>((resolve, reject) => tls.once('secureConnect', resolve).once('error', reject));
    tls.destroy();

    const plain = await connected(exposed.port);
    plain.write(startup('postgres', database.database ?? ''));
    const refusal = (await answered(plain)).toString('latin1');
    assert.match(refusal, /^E.*no encryption/s);
    plain.destroy();

    succeeded(await harness.client.unexposeDatabase({ params: paramsOf(database), ...waiting }));
    await assert.rejects(connected(exposed.port), { code: 'ECONNREFUSED' });
  });
});

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

function answered(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject));
}

/** Returns the first message of a client without TLS. */
function startup(user: string, database: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(parameters.length + 8, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, parameters]);
}
