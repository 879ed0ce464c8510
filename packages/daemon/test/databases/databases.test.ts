/** Databases through the API, with the simulated engine. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database, Task } from '@davit/api';
import { bootDaemon, database, databaseParams, project, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

describe('databases API', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon({ taskLimits: { readyEveryMs: 1 } });
  });
  after(() => daemon[Symbol.asyncDispose]());

  const at = ({ reference }: Database, rest = '') => `/api/databases/${reference}${rest}`;
  const read = (of: Database) => daemon.client.getDatabase({ params: databaseParams(of) });
  const containers = ({ reference }: Pick<Database, 'reference'>) =>
    daemon.engine.controls.containers().filter(({ app }) => app === reference);
  const create = (body: object, key?: string) => daemon.call('POST', '/api/databases?wait=true', body, key);
  const refused = async (body: object, status: number, message: RegExp) => {
    const answer = await create(body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, message);
  };
  const waiting = { query: { wait: 'true' as const } };

  it('creates a database in a task and returns the location of the task', async () => {
    const inProject = await project(daemon);
    const body = { project: inProject, name: 'main', engine: 'postgres' };
    const answer = await daemon.call('POST', '/api/databases', body);
    const task = JSON.parse(answer.text) as Task;

    assert.equal(answer.status, 202);
    assert.equal(answer.headers.get('location'), `/api/tasks/${task.id}`);
    assert.deepEqual(
      [task.kind, task.subject],
      ['database.create', { kind: 'database', name: `${inProject}/production/main` }],
    );
    const ended = await daemon.client.getTask({ params: { task: String(task.id) }, query: { wait: 'true' } });
    assert.equal(ended.status, 'succeeded', ended.error ?? '');

    const made = await daemon.client.getDatabase({
      params: { project: inProject, environment: 'production', database: 'main' },
    });
    assert.deepEqual(
      [made.status, made.engine, made.username, made.database, made.port, made.exposed, made.task],
      ['running', 'postgres', 'postgres', 'main', 5432, null, null],
    );
    assert.equal(made.host, `main.db.production.${inProject}.internal`);
    assert.equal(daemon.engine.controls.resolve(made.host).length, 1);
  });

  it('uses the default PostgreSQL version and image unless the request chooses another version', async () => {
    const [first] = (await daemon.client.listDatabaseEngines({ query: {} })).filter(
      ({ engine }) => engine === 'postgres',
    );
    assert.equal(first?.versions[0]?.made_here, true);
    const own = await database(daemon);
    assert.deepEqual([own.version, own.image], [first?.versions[0]?.version, first?.versions[0]?.image]);
    const other = await database(daemon, { version: '17' });
    assert.deepEqual([other.version, other.image], ['17', 'postgres:17']);
    const vectors = await database(daemon, { version: '17', extensions: ['pgvector', 'pg_trgm'] });
    assert.deepEqual([vectors.image, vectors.extensions], ['pgvector/pgvector:pg17', ['pg_trgm', 'pgvector']]);
  });

  it('returns the password only with the credentials, never in other responses or logs', async () => {
    const made = await database(daemon, { password: 'correct-horse-42' });
    const credentials = await daemon.client.getDatabaseCredentials({ params: databaseParams(made) });

    assert.equal(credentials.password, 'correct-horse-42');
    assert.equal(credentials.url, `postgresql://postgres:correct-horse-42@${made.host}:5432/${made.database}`);
    const [container] = containers(made);
    const { files, ...shown } = container ?? { files: [] };
    assert.ok(!JSON.stringify(shown).includes('correct-horse-42'));
    assert.ok(files.length > 0);
    for (const path of ['/api/databases', at(made), '/api/tasks', '/api/audit?limit=100']) {
      assert.ok(!(await daemon.call('GET', path)).text.includes('correct-horse-42'), path);
    }
    assert.ok(!daemon.log.lines.join('').includes('correct-horse-42'));
  });

  it('does not pass the plain-text password to psql', async () => {
    const said: string[][] = [];
    daemon.engine.controls.program('psql', async ({ command, stdin, env }) => {
      for await (const chunk of stdin) said.push([JSON.stringify([command, env]), Buffer.from(chunk).toString()]);
      return 0;
    });
    await database(daemon, { password: 'correct-horse-43' });
    assert.ok(said.length > 0);
    assert.ok(
      said.flat().every((text) => !text.includes('correct-horse-43')),
      'not even in what it reads',
    );
  });

  it('refuses invalid creation requests and reports the reason', async () => {
    const name = await project(daemon);
    const of = (more: object) => ({ project: name, name: 'bad', engine: 'postgres', ...more });
    await refused(of({ version: '9.6' }), 400, /version: must be a version of postgres that this server offers: 15/);
    await refused(of({ extensions: ['rocket'] }), 400, /“rocket” is not an extension of postgres/);
    await refused(of({ engine: 'redis', extensions: ['pgvector'] }), 400, /redis does not support extensions/);
    await refused(of({ engine: 'redis', username: 'me' }), 400, /must be “default”, the only user of redis/);
    await refused(of({ engine: 'redis', database: 'me' }), 400, /no named databases/);
    await refused(of({ engine: 'mariadb', username: 'root' }), 400, /is reserved by/);
    for (const username of ['davit_admin', 'public', 'none', 'pg', 'davit'])
      await refused(of({ username }), 400, /is reserved by/);
    await refused(of({ database: 'template1' }), 400, /is reserved by/);
    await refused(of({ password: 'short' }), 400, /password: must be at least 8/);
    await refused(of({ password: 'with a blank' }), 400, /printable ASCII/);
    await refused(of({ limits: { cpu: 64 } }), 400, /limits\.cpu: must be at most 2/);
    await refused(of({ engine: 'oracle' }), 400, /must be one of postgres/);
    await refused(of({ colour: 'red' }), 400, /colour/);
    await refused({ project: 'nowhere', name: 'db', engine: 'postgres' }, 404, /This environment does not exist/);
  });

  it('refuses a duplicate database name in an environment but allows an app with the same name', async () => {
    const made = await database(daemon);
    await refused({ project: made.project, name: made.name, engine: 'redis' }, 409, /A database \S+ already exists/);
    const body = { name: made.name, source: 'image' as const, image: 'acme/web', project: made.project };
    await daemon.client.createApp({ body });
  });

  it('removes all resources if the creation fails, and reports the reason in the task', async () => {
    const name = await project(daemon);
    daemon.engine.controls.program('pg_isready', async () => 1);
    try {
      const creation = daemon.call('POST', '/api/databases?wait=true', {
        project: name,
        name: 'db',
        engine: 'postgres',
      });
      await until('its container runs', async () =>
        containers({ reference: `${name}/production/db` }).some(({ state }) => state === 'running'),
      );
      const [container] = containers({ reference: `${name}/production/db` });
      daemon.engine.controls.writeLog(container?.id ?? '', 'FATAL: no room left');
      daemon.engine.controls.kill(container?.id ?? '', { exitCode: 1 });
      const task = JSON.parse((await creation).text) as Task;

      assert.equal(task.status, 'failed');
      assert.match(task.error ?? '', /did not start. The container stopped with exit code 1/);
      assert.equal(task.log?.at(-1), 'FATAL: no room left');
    } finally {
      daemon.engine.controls.program('pg_isready', async () => 0);
    }
    assert.equal((await daemon.call('GET', `/api/databases/${name}/production/db`)).status, 404);
    assert.deepEqual(containers({ reference: `${name}/production/db` }), []);
    assert.ok((await daemon.engine.volumes()).every(({ app }) => app !== `${name}/production/db`));
  });

  it('completes a creation with the same container after a restart of the instance', async () => {
    const name = await project(daemon);
    const reference = `${name}/production/db`;
    daemon.engine.controls.program('pg_isready', async () => 1);
    const accepted = await daemon.call('POST', '/api/databases', { project: name, name: 'db', engine: 'postgres' });
    const { id } = JSON.parse(accepted.text) as Task;
    await until('its container runs', async () => containers({ reference }).some(({ state }) => state === 'running'));
    const [before] = containers({ reference });

    await daemon.restart();

    daemon.engine.controls.program('pg_isready', async () => 0);
    const task = await daemon.client.getTask({ params: { task: String(id) }, query: { wait: 'true' } });
    assert.equal(task.status, 'succeeded', task.error ?? '');
    assert.deepEqual(
      containers({ reference }).map(({ id: one }) => one),
      [before?.id],
    );
  });

  it('stops, starts and restarts a database, and refuses these actions in the wrong state', async () => {
    const made = await database(daemon);
    const params = databaseParams(made);
    assert.equal((await daemon.call('POST', at(made, '/start'))).status, 409);

    assert.equal((await daemon.client.stopDatabase({ params, ...waiting })).status, 'succeeded');
    assert.equal((await read(made)).status, 'stopped');
    assert.deepEqual(daemon.engine.controls.resolve(made.host), []);
    assert.deepEqual(
      containers(made).map(({ state }) => state),
      ['exited'],
    );
    assert.equal((await daemon.call('POST', at(made, '/restart'))).status, 409);

    assert.equal((await daemon.client.startDatabase({ params, ...waiting })).status, 'succeeded');
    const [before] = containers(made);
    assert.equal((await daemon.client.restartDatabase({ params, ...waiting })).status, 'succeeded');
    const [now] = containers(made);
    assert.notEqual(now?.id, before?.id);
    assert.deepEqual([now?.address, now?.volumes], [before?.address, before?.volumes]);
    assert.equal((await read(made)).status, 'running');
  });

  it('changes the limits of a running database', async () => {
    const made = await database(daemon);
    const memory_bytes = 256 * 1024 * 1024;
    const body = { description: 'orders', limits: { memory_bytes } };
    const patched = await daemon.client.patchDatabase({ params: databaseParams(made), body });
    assert.deepEqual([patched.description, patched.limits], ['orders', { cpu: null, memory_bytes }]);
    assert.equal(containers(made)[0]?.limits.memoryBytes, memory_bytes);
    const back = await daemon.client.patchDatabase({ params: databaseParams(made), body: { limits: null } });
    assert.deepEqual([back.description, back.limits], ['orders', { cpu: null, memory_bytes: null }]);
  });

  it('exposes a database on an unused public port and closes the port again', async () => {
    const made = await database(daemon);
    const params = databaseParams(made);
    assert.equal((await daemon.client.exposeDatabase({ params, ...waiting })).status, 'succeeded');
    const { exposed } = await read(made);
    assert.ok(exposed !== null && exposed.port >= 15_000 && exposed.port <= 15_999);
    assert.deepEqual(containers(made)[0]?.tcpPorts, [{ hostPort: exposed.port, containerPort: 5432 }]);
    const credentials = await daemon.client.getDatabaseCredentials({ params });
    assert.match(credentials.exposed?.certificate ?? '', /BEGIN CERTIFICATE/);
    assert.equal(credentials.exposed?.certificate, await daemon.client.getInstanceCa());
    assert.match(credentials.exposed?.url ?? '', /sslmode=verify-full&sslrootcert=davit-ca\.pem/);
    assert.equal(credentials.exposed?.ca_file, 'davit-ca.pem');

    const other = await database(daemon);
    const taken = await daemon.call('POST', at(other, '/expose'), { port: exposed.port });
    assert.equal(taken.status, 409);
    assert.match(taken.text, new RegExp(`${made.reference} uses port`));
    const { port: own } = new URL(daemon.url);
    assert.match(
      (await daemon.call('POST', at(other, '/expose'), { port: Number(own) })).text,
      /Davit itself uses port|Another program on this server uses port/,
    );
    const stranger = user(daemon, 'admin', [other.project]);
    const strangerAnswer = await daemon.call('POST', at(other, '/expose'), { port: exposed.port }, stranger.key);
    assert.match(strangerAnswer.text, /is in use/);

    assert.equal((await daemon.client.unexposeDatabase({ params, ...waiting })).status, 'succeeded');
    assert.equal((await read(made)).exposed, null);
    assert.equal((await daemon.call('DELETE', at(made, '/expose'))).status, 409);
  });

  it('moves a deleted database to the trash, restores its data and deletes the database permanently', async () => {
    const made = await database(daemon);
    const [container] = containers(made);
    assert.equal((await daemon.call('DELETE', at(made, '?confirm=other'))).status, 400);

    const trashed = await daemon.client.deleteDatabase({ params: databaseParams(made), query: { confirm: made.name } });
    assert.equal(trashed.status, 'trash');
    assert.ok(trashed.deleted);
    assert.equal((await daemon.call('GET', at(made))).status, 404);
    await until('its container is gone', async () => containers(made).length === 0);
    assert.ok((await daemon.client.listTrashedDatabases({ query: {} })).some(({ id }) => id === made.id));
    assert.ok((await daemon.engine.volumes()).some(({ name }) => name === container?.volumes[0]?.name));

    // Another database can use the name while the deleted database is in the trash.
    await database(daemon, { project: made.project, name: made.name });
    const path = `/api/trash/databases/${made.id}`;
    assert.match((await daemon.call('POST', `${path}/restore`)).text, /already exists\. Choose another name/);
    const task = JSON.parse((await daemon.call('POST', `${path}/restore?wait=true`, { name: 'again' })).text) as Task;
    assert.equal(task.status, 'succeeded', task.error ?? '');
    const back = await daemon.client.getDatabase({ params: { ...databaseParams(made), database: 'again' } });
    assert.deepEqual([back.id, back.status], [made.id, 'running']);
    assert.deepEqual(containers(back)[0]?.volumes, container?.volumes);

    await daemon.client.deleteDatabase({ params: databaseParams(back), query: { confirm: 'again' } });
    assert.equal((await daemon.call('DELETE', `${path}?confirm=${made.name}`)).status, 400);
    assert.equal((await daemon.call('DELETE', `${path}?confirm=again`)).status, 204);
    assert.ok((await daemon.engine.volumes()).every(({ name }) => name !== container?.volumes[0]?.name));
    assert.equal((await daemon.call('DELETE', `${path}?confirm=again`)).status, 404);
  });

  it('prevents the deletion of a project or an environment with a database', async () => {
    const made = await database(daemon);
    const answer = await daemon.call('DELETE', `/api/projects/${made.project}`);
    assert.equal(answer.status, 409);
    assert.match(answer.text, new RegExp(made.reference));
    await daemon.client.createEnvironment({ params: { project: made.project }, body: { slug: 'stage' } });
    const staged = await database(daemon, { project: made.project, environment: 'stage' });
    assert.equal((await daemon.call('DELETE', `/api/projects/${made.project}/environments/stage`)).status, 409);

    await daemon.client.deleteDatabase({ params: databaseParams(staged), query: { confirm: staged.name } });
    assert.equal((await daemon.call('DELETE', `/api/projects/${made.project}/environments/stage`)).status, 204);
    const back = await daemon.call('POST', `/api/trash/databases/${staged.id}/restore`);
    assert.match(back.text, /environment \S+stage .* does not exist any more/);
  });

  it('refuses other actions on a database while a task of the database is in progress', async () => {
    const made = await database(daemon);
    const gate = daemon.engine.controls.pause('stop');
    const stopping = daemon.client.stopDatabase({ params: databaseParams(made), ...waiting });
    await gate.reached;
    const answer = await daemon.call('POST', at(made, '/restart'));
    assert.equal(answer.status, 409);
    assert.match(answer.text, /Task \d+ \(database\.stop\) of .+ is in progress/);
    assert.equal((await daemon.call('DELETE', at(made, `?confirm=${made.name}`))).status, 409);
    assert.notEqual((await read(made)).task, null);
    gate.open();
    assert.equal((await stopping).status, 'succeeded');
  });

  it('returns the logs and metrics of a database', async () => {
    const made = await database(daemon);
    const [container] = containers(made);
    daemon.engine.controls.writeLog(container?.id ?? '', 'ready to accept connections', 'stderr');
    const text = await daemon.call('GET', at(made, '/logs?tail=5'));
    assert.match(text.text, /ready to accept connections\n$/);
    const { lines } = JSON.parse((await daemon.call('GET', at(made, '/logs?format=json'))).text) as {
      lines: { stream: string }[];
    };
    assert.equal(lines.at(-1)?.stream, 'stderr');

    await daemon.core.metrics.sample();
    const metrics = await daemon.client.getDatabaseMetrics({ params: databaseParams(made), query: { window: '1h' } });
    assert.equal(metrics.window, '1h');
    assert.ok(metrics.samples.length > 0);
  });

  it('lets a viewer read a database but not its credentials, and hides databases of other projects', async () => {
    const made = await database(daemon);
    const viewer = user(daemon, 'viewer', [made.project]);
    const stranger = user(daemon, 'admin', [await project(daemon)]);
    assert.equal((await daemon.call('GET', at(made), undefined, viewer.key)).status, 200);
    assert.equal((await daemon.call('GET', at(made, '/credentials'), undefined, viewer.key)).status, 403);
    assert.equal((await daemon.call('GET', at(made), undefined, stranger.key)).status, 404);
    const theirs = JSON.parse((await daemon.call('GET', '/api/databases', undefined, stranger.key)).text) as Database[];
    assert.deepEqual(theirs, []);
    const tasks = JSON.parse(
      (await daemon.call('GET', `/api/tasks?subject=${made.reference}`, undefined, stranger.key)).text,
    );
    assert.deepEqual(tasks, []);
  });
});
