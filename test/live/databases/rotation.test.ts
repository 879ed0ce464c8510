/** Change of a database's password while an app uses the database. No request may fail. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Database, DatabaseEngine, Task } from '@davit/api';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { RedisClients } from '../../support/redis-clients.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { inLong } from '../../support/tiers.ts';

const waiting = { query: { wait: 'true' as const } };

describe('database password rotation', () => {
  let harness: LiveHarness;
  let project: string;
  let page: string;
  before(async () => {
    harness = await LiveHarness.create();
    project = await harness.project();
    page = await readFile(join(import.meta.dirname, '../../support/postgres-page.cjs'), 'utf8');
  });
  after(() => harness[Symbol.asyncDispose]());

  const succeeded = (task: Task) => assert.equal(task.status, 'succeeded', `${task.error}\n${task.log?.join('\n')}`);

  async function make(engine: DatabaseEngine, version: string): Promise<Database> {
    succeeded(
      await harness.client.createDatabase({ ...waiting, body: { project, name: `${engine}-r`, engine, version } }),
    );
    return harness.client.getDatabase({ params: { project, environment: 'production', database: `${engine}-r` } });
  }
  const paramsOf = ({ environment, name }: Database) => ({ project, environment, database: name });

  it('loses no request of an app that connects to PostgreSQL for every request', async () => {
    const database = await make('postgres', '15');
    const params = paramsOf(database);
    const image = await testAppImage(harness.docker);
    const command = ['/bin/node', '-e', page];
    const app = await harness.app({ project, name: 'page', image, port: 8080, command, health: { path: '/' } });
    await harness.client.attachDatabase({ params: { ...params, app: 'page' }, body: {} });
    const { status, error, log } = await app.deploy('v1');
    assert.equal(status, 'succeeded', `${error}\n${log?.join('\n')}`);
    const before = await harness.client.getDatabaseCredentials({ params });
    const load = requestSteadily(app, ({ status, text }) => status === 200 && text.includes('user'));

    succeeded(await harness.client.rotateDatabasePassword({ params, ...waiting }));
    succeeded(await harness.client.rotateDatabasePassword({ params, ...waiting }));

    const { sent, wrong } = await load.stop();
    assert.deepEqual(wrong, []);
    assert.ok(sent > 50, `${sent} requests`);
    const now = await harness.client.getDatabaseCredentials({ params });
    assert.equal(now.username, `${before.username}_3`);
    assert.notEqual(now.password, before.password);
    assert.deepEqual(JSON.parse((await app.get()).text), { user: now.username, expected: now.username });
  });

  it('keeps an app with an open Redis connection working and ends all other connections', async () => {
    const database = await make('redis', '7.0');
    const params = paramsOf(database);
    const image = await testAppImage(harness.docker);
    const command = [
      '/bin/node',
      '-e',
      await readFile(join(import.meta.dirname, '../../support/redis-page.cjs'), 'utf8'),
    ];
    const app = await harness.app({ project, name: 'talks', image, port: 8080, command, health: { path: '/' } });
    await harness.client.attachDatabase({ params: { ...params, app: 'talks' }, body: {} });
    const { status, error, log } = await app.deploy('v1');
    assert.equal(status, 'succeeded', `${error}\n${log?.join('\n')}`);
    const load = requestSteadily(app, ({ status, text }) => status === 200 && text === '+PONG');
    await using old = await RedisClients.create(harness, `${project}/production/redis-r`);

    // New connections are opened while both passwords are valid.
    old.open();
    succeeded(await harness.client.rotateDatabasePassword({ params, ...waiting }));

    const { sent, wrong } = await load.stop();
    assert.deepEqual(await old.stop(), { refused: true, answering: 0 });
    assert.deepEqual(wrong, []);
    assert.ok(sent > 10, `${sent} requests`);
  });

  async function rotates(engine: DatabaseEngine, version: string): Promise<void> {
    const database = await make(engine, version);
    const params = paramsOf(database);
    const before = await harness.client.getDatabaseCredentials({ params });

    succeeded(await harness.client.rotateDatabasePassword({ params, ...waiting }));

    const now = await harness.client.getDatabaseCredentials({ params });
    assert.notEqual(now.password, before.password);
    succeeded(await harness.client.restartDatabase({ params, ...waiting }));
    /*
     * The daemon signs in with the new password before the switch, and again here after a start with the recorded
     * state.
     */
    succeeded(await harness.client.rotateDatabasePassword({ params, ...waiting }));
  }

  it('rotates the password of MariaDB, also after a restart of the database', inLong, () =>
    rotates('mariadb', '10.11'),
  );

  it('adds a PostgreSQL extension together with its dependency', async () => {
    const params = { project, environment: 'production', database: 'postgres-r' };
    succeeded(
      await harness.client.addDatabaseExtensions({ params, ...waiting, body: { extensions: ['earthdistance'] } }),
    );
    assert.deepEqual((await harness.client.getDatabase({ params })).extensions, ['cube', 'earthdistance']);
  });
});
