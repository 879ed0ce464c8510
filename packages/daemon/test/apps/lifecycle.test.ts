/** Restart, stop and start through the API of a whole daemon with a simulated engine. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { App, Deployment } from '@davit/api';
import { app, bootDaemon, deployedApp, paramsOf, type TestDaemon, user } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';

interface Params {
  project: string;
  environment: string;
  app: string;
}

let daemon: TestDaemon;

const pathOf = ({ project, environment, app: name }: Params) => `/api/apps/${project}/${environment}/${name}`;
const read = (params: Params) => daemon.client.getApp({ params });
const hostOf = ({ project, environment, app: name }: Params) => `${name}.${environment}.${project}.davit.test`;
const nameOf = ({ project, environment, app: name }: Params) => `${name}.${environment}.${project}.internal`;

async function live(settings: Record<string, unknown> = {}): Promise<{ params: Params; first: Deployment }> {
  const { app: made, deployment } = await deployedApp(daemon, settings);
  return { params: paramsOf(made), first: deployment };
}

async function stopped(settings: Record<string, unknown> = {}): Promise<{ params: Params; first: Deployment }> {
  const one = await live(settings);
  await daemon.client.stopApp({ params: one.params, query: { wait: 'true' } });
  return one;
}

/** Returns the app's containers at the engine. */
function containersOf({ project, environment, app: name }: Params) {
  return daemon.engine.controls.containers().filter((c) => c.app === `${project}/${environment}/${name}`);
}

describe('app lifecycle', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  test('a restart deploys the live release again in new replicas', async () => {
    const { params, first } = await live();
    const [before] = containersOf(params);
    await daemon.client.patchApp({ params, body: { command: ['other'] } });

    const answer = await daemon.call('POST', `${pathOf(params)}/restart`);
    const { id } = JSON.parse(answer.text) as Deployment;
    await daemon.settled();
    const record = await daemon.client.getDeployment({ params: { ...params, deployment: String(id) } });

    assert.equal(answer.status, 202);
    assert.equal(answer.headers.get('location'), `${pathOf(params)}/deployments/${id}`);
    assert.deepEqual(
      [record.status, record.trigger.kind, record.digest, record.tag, record.revision],
      ['succeeded', 'restart', first.digest, 'v1', first.revision],
    );
    assert.notEqual(containersOf(params)[0]?.id, before?.id);
    assert.equal((await read(params)).pending_changes, true);
  });

  test('a restart with wait=true responds after the deployment has succeeded', async () => {
    const { params } = await live();

    const answer = await daemon.call('POST', `${pathOf(params)}/restart?wait=true`);

    assert.equal(answer.status, 200);
    assert.equal((JSON.parse(answer.text) as Deployment).status, 'succeeded');
  });

  test('an app without a live release cannot be restarted, started or stopped', async () => {
    const params = paramsOf(await app(daemon));

    for (const [what, words] of [
      ['restart', /has no live release yet\. Deploy the app first\.\n$/],
      ['start', /has no live release yet/],
      ['stop', /^The app cannot be stopped, because it has no live release\. Cancel .*, or delete the app\.\n$/],
    ] as const) {
      const answer = await daemon.call('POST', `${pathOf(params)}/${what}`);
      assert.equal(answer.status, 409, what);
      assert.match(answer.text, words);
    }
  });

  test('a stop removes the traffic, names and containers of an app', async () => {
    const { params, first } = await live({ scale: 2 });

    const answer = await daemon.call('POST', `${pathOf(params)}/stop?wait=true`);
    await daemon.settled();

    const seen = JSON.parse(answer.text) as App;
    assert.deepEqual([answer.status, seen.status, seen.live_deployment], [200, 'stopped', first.id]);
    assert.deepEqual(containersOf(params), []);
    assert.deepEqual(daemon.proxy.serving(hostOf(params)), []);
    assert.deepEqual(daemon.engine.controls.resolve(nameOf(params)), []);
  });

  test('a stop responds immediately while replicas with open sessions drain', async () => {
    const { params } = await live();
    const [instance] = daemon.core.store.all(
      unchecked<{ id: number }>('SELECT i.id FROM instances i JOIN apps a ON a.id = i.app_id WHERE a.name = ?'),
      params.app,
    );
    daemon.proxy.setOpenSessions(`i${instance?.id}`, 1);

    const seen = await daemon.client.stopApp({ params });

    assert.deepEqual([seen.status, seen.replicas.map(({ state }) => state)], ['stopped', ['draining']]);
    daemon.proxy.setOpenSessions(`i${instance?.id}`, 0);
    const down = await daemon.client.stopApp({ params, query: { wait: 'true' } });
    assert.deepEqual(down.replicas, []);
  });

  test('stopping a stopped app succeeds and changes nothing', async () => {
    const { params } = await stopped();
    const before = await read(params);

    const again = await daemon.client.stopApp({ params });

    assert.equal(again.status, 'stopped');
    assert.equal(again.updated_at, before.updated_at);
  });

  test('a stopped app stays stopped after a restart of the daemon or engine', async () => {
    const { params } = await stopped();

    await daemon.restart();
    await daemon.settled();
    daemon.engine.controls.setAvailable(false);
    daemon.engine.controls.setAvailable(true);
    await daemon.settled();

    assert.equal((await read(params)).status, 'stopped');
    assert.deepEqual(containersOf(params), []);
  });

  test('a daemon that ends during a stop completes the stop after its restart', async () => {
    const { params } = await live();
    const gate = daemon.engine.controls.pause('stop');
    await daemon.client.stopApp({ params });
    await gate.reached;

    const ended = daemon.stop();
    gate.open();
    await ended;
    await daemon.start();
    await daemon.client.stopApp({ params, query: { wait: 'true' } });

    assert.deepEqual(containersOf(params), []);
    assert.equal((await read(params)).status, 'stopped');
  });

  test('a start deploys the same release at the current scale', async () => {
    const { params, first } = await stopped();
    daemon.engine.controls.addImage('example/web:v1');
    const scaled = (await daemon.client.patchApp({ params, body: { scale: 2 } })) as App;

    const record = (await daemon.client.startApp({ params, query: { wait: 'true' } })) as Deployment;
    const seen = await read(params);

    assert.deepEqual([scaled.status, scaled.replicas], ['stopped', []]);
    assert.deepEqual([record.status, record.trigger.kind, record.digest], ['succeeded', 'start', first.digest]);
    assert.deepEqual([seen.status, seen.replicas.length], ['running', 2]);
    assert.equal(daemon.proxy.serving(hostOf(params))?.length, 2);
  });

  test('starting a running app and restarting a stopped app are refused', async () => {
    const { params } = await live();

    const start = await daemon.call('POST', `${pathOf(params)}/start`);
    await daemon.client.stopApp({ params });
    const restart = await daemon.call('POST', `${pathOf(params)}/restart`);

    assert.deepEqual(
      [start.status, start.text],
      [409, 'Only a stopped app can be started, but this app is not stopped. Restart the app instead.\n'],
    );
    assert.deepEqual(
      [restart.status, restart.text],
      [409, `${Object.values(params).join('/')} is stopped. Start the app instead.\n`],
    );
  });

  test('a deployment or a rollback starts a stopped app', async () => {
    const { params } = await stopped();
    const deploy = () => daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });

    await deploy();
    const afterDeploy = (await read(params)).status;
    await daemon.client.stopApp({ params });
    await daemon.client.rollbackApp({ params, query: { wait: 'true' } });

    assert.equal(afterDeploy, 'running');
    assert.equal((await read(params)).status, 'running');
  });

  test('a failed deployment keeps a stopped app stopped and reports this in the error', async () => {
    const { params } = await stopped({ health: { grace_s: 1 } });

    const record = (await daemon.client.deployApp({
      params,
      query: { wait: 'true' },
      body: { tag: 'crash' },
    })) as Deployment;

    assert.deepEqual([record.status, record.error], ['failed', 'Replica 1 exited with code 1. The app stays stopped.']);
    assert.equal((await read(params)).status, 'stopped');
    assert.deepEqual(containersOf(params), []);
  });

  test('the deployment plan lists pending changes but not changes that already apply', async () => {
    const { app } = await deployedApp(daemon);
    const params = paramsOf(app);
    const body = { port: null, limits: { cpu: 0.5 }, labels: { a: 'b' }, health: { path: '/up' } };
    await daemon.client.patchApp({ params, body });
    const worker = await daemon.client.deployApp({ params, query: { dry_run: 'true' }, body: { tag: 'v2' } });
    assert.deepEqual('changes' in worker && worker.changes, [
      'The tag changes from v1 to v2.',
      'port changes from 8080 to null.',
      'health.path changes from null to "/up".',
    ]);
  });

  test('the plan of a rollback lists the changes and deploys nothing', async () => {
    const { params, first } = await live();
    await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });
    const before = await daemon.client.listDeployments({ params });

    const plan = await daemon.client.rollbackApp({ params, query: { dry_run: 'true' } });
    const missing = await daemon.call('POST', `${pathOf(params)}/rollback?dry_run=true`, { deployment: 999_999 });

    assert.ok('changes' in plan);
    assert.deepEqual(plan.changes, [
      `The rollback restores deployment ${first.id}: tag v1, revision ${first.revision}.`,
      'The tag changes from v2 to v1.',
    ]);
    assert.deepEqual([plan.rollback_of, plan.steps.at(-1)?.name], [first.id, 'switch']);
    assert.equal(missing.status, 404);
    assert.deepEqual(await daemon.client.listDeployments({ params }), before);
  });

  test('the plan of a rollback names changed settings and variables without their values', async () => {
    const { params, first } = await live();
    const query = { deploy: 'true' } as const;
    await daemon.client.setAppEnv({ params, query, body: { set: { DATABASE_URL: 'pg://hidden' } } });
    await daemon.client.patchApp({ params, query, body: { args: ['--hidden'], scale: 2 } });
    await daemon.settled();

    const plan = await daemon.client.rollbackApp({
      params,
      query: { dry_run: 'true' },
      body: { deployment: first.id },
    });

    assert.deepEqual('changes' in plan && plan.changes, [
      `The rollback restores deployment ${first.id}: tag v1, revision ${first.revision}.`,
      'The tag v1 is deployed again.',
      'Changed settings: args.',
      'Removed variables: DATABASE_URL.',
    ]);
  });

  test('the deployment plan of a stopped app only routes traffic to the new release', async () => {
    const { params } = await stopped();

    const plan = await daemon.client.deployApp({ params, query: { dry_run: 'true' }, body: { tag: 'v2' } });

    assert.ok('changes' in plan);
    assert.deepEqual(plan.changes, ['The tag changes from v1 to v2.']);
    assert.equal(plan.steps.at(-1)?.describe, 'route the traffic to the new release');
  });

  test('a hidden app responds like a missing app, and a viewer is refused', async () => {
    const { params } = await live();
    const other = user(daemon, 'member', []);
    const viewer = user(daemon, 'viewer', [params.project]);

    for (const what of ['restart', 'stop', 'start']) {
      const hidden = await daemon.call('POST', `${pathOf(params)}/${what}`, undefined, other.key);
      const missing = await daemon.call('POST', `/api/apps/no/such/app/${what}`, undefined, other.key);
      const refused = await daemon.call('POST', `${pathOf(params)}/${what}`, undefined, viewer.key);
      assert.deepEqual([hidden.status, hidden.text], [404, missing.text]);
      assert.equal(refused.status, 403);
    }
  });

  test('an unknown field or query value is refused and changes nothing', async () => {
    const { params } = await live();

    const query = await daemon.call('POST', `${pathOf(params)}/stop?wait=yes`);
    const body = await daemon.call('POST', `${pathOf(params)}/stop`, { now: true });

    assert.deepEqual([query.status, body.status], [400, 400]);
    assert.equal((await read(params)).status, 'running');
  });

  test('a CPU limit above the cores of the server is refused without a change', async () => {
    const { params } = await live();
    const { revision } = await read(params);

    const answer = await daemon.call('PATCH', pathOf(params), { limits: { cpu: 512 } });

    assert.equal(answer.status, 400);
    assert.match(answer.text, /^limits\.cpu: must be at most \d+, the number of CPU cores of the server\.\n$/);
    assert.equal((await read(params)).revision, revision);
  });

  test('the location of a new environment returns the environment', async () => {
    const { params } = await live();
    const path = `/api/projects/${params.project}/environments`;

    const made = await daemon.call('POST', path, { slug: 'staging' });
    const seen = await daemon.call('GET', made.headers.get('location') ?? '');

    assert.deepEqual([made.status, seen.status], [201, 200]);
    assert.deepEqual(JSON.parse(seen.text), JSON.parse(made.text));
  });
});

describe('deletion of a deployment', () => {
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const forget = (params: Params, id: number) => daemon.call('DELETE', `${pathOf(params)}/deployments/${id}`);

  test('removes the steps and image and prevents a rollback to the deployment', async () => {
    const { params, first } = await live();
    await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });
    await daemon.settled();

    const answer = await forget(params, first.id);
    const back = await daemon.call('POST', `${pathOf(params)}/rollback`, { deployment: first.id });

    assert.equal(answer.status, 204);
    assert.deepEqual(
      [back.status, back.text],
      [404, `The app has no deployment ${first.id}. List the deployments of the app.\n`],
    );
    assert.equal((await forget(params, first.id)).status, 404);
    assert.deepEqual(
      (await daemon.engine.heldImages()).filter((tag) => tag.endsWith(`:${first.id}`)),
      [],
    );
    const steps = daemon.core.store.all(unchecked('SELECT 1 FROM deployment_steps WHERE deployment_id = ?'), first.id);
    assert.deepEqual(steps, []);
  });

  test('is refused for the live deployment', async () => {
    const { params, first } = await live();

    const answer = await forget(params, first.id);

    assert.deepEqual(
      [answer.status, answer.text],
      [409, `Deployment ${first.id} is live. Deploy another release first.\n`],
    );
  });

  test('is refused during the deployment and while its replicas stop', async () => {
    const { params, first } = await live();
    const gate = daemon.engine.controls.pause('probe');
    const requested = await daemon.call('POST', `${pathOf(params)}/deploy`, { tag: 'v2' });
    const { id } = JSON.parse(requested.text) as Deployment;
    await gate.reached;

    const underWay = await forget(params, id);
    const held = daemon.engine.controls.pause('stop');
    gate.open();
    await held.reached;
    const retiring = await forget(params, first.id);
    held.open();
    await daemon.settled();

    assert.match(underWay.text, /is in progress\. Cancel it first/);
    assert.equal(retiring.status, 409);
    assert.match(retiring.text, /are still stopping\. Try again in a moment/);
    assert.equal((await forget(params, first.id)).status, 204);
  });

  test('succeeds even if the engine cannot release the image', async () => {
    const { params, first } = await live();
    await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });
    await daemon.settled();
    daemon.engine.controls.fail('releaseImage');

    const answer = await forget(params, first.id);

    assert.equal(answer.status, 204);
  });
});
