import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { DavitError } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { ProxyUnavailable } from '../../src/adapters/proxy/proxy.ts';
import { unchecked } from '../../src/db/select.ts';
import { deleteApp } from '../../src/resources/apps/settings.ts';
import { STEPS } from '../../src/resources/deployments/steps/index.ts';
import type { Step } from '../../src/resources/deployments/work.ts';
import { patchingVariables } from '../../src/resources/variables/level.ts';
import { changeVariables, ofApp } from '../../src/resources/variables/variables.ts';
import { refusal } from '../support/core-harness.ts';
import { Harness } from '../support/harness.ts';

const logOf = (log: string | null): string[] => JSON.parse(log ?? '[]');

test('requires a tag for the first deployment and defaults to the pinned or live tag', async () => {
  await using harness = await Harness.with();
  await assert.rejects(harness.request(), refusal('invalid_input', /^tag: The first deployment requires a tag/));

  await harness.deploy('v1');
  const again = await harness.request();
  await harness.machine.settled();
  await using pinned = await Harness.with({ tag: 'v7' });
  const first = await pinned.request();

  assert.equal(harness.row(again).tag, 'v1');
  assert.equal(pinned.row(first).tag, 'v7');
});

test('a change of an app without a release deploys the tag of the failed deployment again', async () => {
  await using harness = await Harness.with({ health: { grace_s: 1 } });
  const change = { ofChange: true };
  await assert.rejects(harness.request(change), refusal('conflict', /has no release yet/));
  assert.equal((await harness.deploy('never-ready')).status, 'failed');

  const again = await harness.request(change);
  await harness.machine.settled();

  assert.equal(harness.row(again).tag, 'never-ready');
  await assert.rejects(harness.request(), refusal('invalid_input', /^tag: /), 'a request without a change needs a tag');
});

test('records the digest, the port and all steps of a deployment', async () => {
  await using harness = await Harness.with();

  const row = await harness.deploy('v1');

  assert.match(row.digest ?? '', /^sha256:/);
  assert.equal(row.port, 8080);
  const steps = harness.core.store.all(
    unchecked<{ name: string; finished_at: number; error: string | null }>(
      'SELECT name, finished_at, error FROM deployment_steps WHERE deployment_id = ? ORDER BY seq',
    ),
    row.id,
  );
  assert.deepEqual(
    steps.map((step) => step.name),
    ['resolve', 'pull', 'hold', 'network', 'create', 'start', 'check', 'switch'],
  );
  assert.ok(steps.every((step) => step.finished_at > 0 && step.error === null));
});

for (const [tag, code, error] of [
  ['crash', null, /^Replica 1 exited with code 1\. Release v1 is still live\.$/],
  [
    'oom',
    'memory_limit_exceeded',
    /^Replica 1 was killed because the replica used all memory that .+\. Release v1 is still live\.$/,
  ],
  [
    'never-ready',
    'port_closed',
    /^Replica 1 did not become ready within 1 s \(connection to port 8080: .+\)\. Release v1 is still live\.$/,
  ],
  [
    'missing',
    'image_not_found',
    /^The registry docker\.io has no image acme\/web:missing\. .+\. Release v1 is still live\.$/,
  ],
] as const) {
  test(`a deployment of the release “${tag}” fails with its reason and keeps the old container`, async () => {
    await using harness = await Harness.with({ health: { grace_s: 1 } });
    await harness.deploy('v1');
    await harness.reconcile();
    const before = await harness.snapshot();

    const row = await harness.deploy(tag);

    assert.equal(row.status, 'failed');
    assert.match(row.error ?? '', error);
    assert.equal(row.error_code, code);
    if (tag === 'crash') assert.deepEqual(logOf(row.log).slice(-1), ['fatal: this example crashes']);
    await harness.reconcile();
    assert.deepEqual(await harness.snapshot(), before);
  });
}

test('reports health_check_failed for a release whose health check returns an error status', async () => {
  await using harness = await Harness.with({ health: { grace_s: 1, path: '/' } });

  const row = await harness.deploy('unhealthy');

  assert.match(row.error ?? '', /GET \/ returned status 503/);
  assert.equal(row.error_code, 'health_check_failed');
});

test('a failed release command prevents the start of containers, and its output is recorded', async () => {
  await using harness = await Harness.with({ release_command: ['sh', '-c', 'echo no such table; exit 3'] });

  const row = await harness.deploy('v1');

  assert.equal(row.error, 'The release command exited with code 3.');
  assert.deepEqual(logOf(row.log), ['no such table']);
  assert.equal(harness.engine.controls.count('createGroup'), 0);
});

test('redacts variable values in the output of a release command', async () => {
  const secret = 'postgres://shop:hunter2@db/shop';
  await using harness = await Harness.with({ release_command: ['sh', '-c', `echo connecting to ${secret}`] });
  const set = { set: { DATABASE_URL: secret }, unset: [], secret: ['DATABASE_URL'] };
  changeVariables(harness.core, harness.ctx, ofApp(harness.app()), patchingVariables(set));

  const row = await harness.deploy('v1');

  assert.deepEqual(logOf(row.log), ['connecting to [redacted]']);
});

test('redacts variable values in the log of a container that fails to start', async () => {
  await using harness = await Harness.with();
  const words = patchingVariables({ set: { WORDS: 'example crashes' }, unset: [], secret: [] });
  changeVariables(harness.core, harness.ctx, ofApp(harness.app()), words);

  const row = await harness.deploy('crash');

  assert.deepEqual(logOf(row.log).slice(-1), ['fatal: this [redacted]']);
});

test('redacts variable values in the errors of health checks', async () => {
  await using harness = await Harness.with({ health: { grace_s: 1 } });
  const set = { set: { WORDS: 'connection refused' }, unset: [], secret: [] };
  changeVariables(harness.core, harness.ctx, ofApp(harness.app()), patchingVariables(set));

  const row = await harness.deploy('never-ready');

  assert.match(row.error ?? '', /\(connection to port 8080: \[redacted\]\)/);
});

test('a worker without a port gets an internal name and fails if the process crashes', async () => {
  await using harness = await Harness.with({ port: null });

  const row = await harness.deploy('v1');

  assert.equal(row.status, 'succeeded');
  assert.equal(row.port, null);
  assert.deepEqual(harness.engine.controls.resolve('web.production.shop.internal').length, 1);
  assert.equal((await harness.deploy('crash')).status, 'failed');
});

test('serves and publishes every replica of a scaled app', async () => {
  await using harness = await Harness.with({ scale: 3 });

  await harness.deploy('v1');

  assert.equal(harness.proxy.serving('web.production.shop.localhost')?.length, 3);
  assert.equal(harness.engine.controls.resolve('cubeship-shop-production-web').length, 3);
});

test('publishes internal names only after the replicas are ready', async () => {
  await using harness = await Harness.with();
  const gate = harness.engine.controls.pause('probe');
  const id = await harness.request({ tag: 'v1' });
  await gate.reached;

  assert.deepEqual(harness.engine.controls.resolve('web.production.shop.internal'), []);
  gate.open();
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'succeeded');
  assert.equal(harness.engine.controls.resolve('web.production.shop.internal').length, 1);
});

test('refuses a deployment of a pushed app if the registry does not have the tag', async () => {
  await using harness = await Harness.with({ source: 'registry', image: null });
  const words = /has no image localhost:5000\/shop\/production\/web:v1\. Check the tag, or push the image/;

  await assert.rejects(harness.request({ tag: 'v1' }), (error: DavitError) => {
    assert.deepEqual([error.code, error.fields[0]?.path, error.fields[0]?.code], ['not_found', 'tag', 'not_found']);
    return words.test(error.message);
  });
  assert.deepEqual(harness.statuses(), []);
});

test('reports a conflict if a pushed app is pinned to a tag that the registry does not have', async () => {
  await using harness = await Harness.with({ source: 'registry', image: null, tag: 'v1' });

  await assert.rejects(harness.request(), refusal('conflict', /has no image .*:v1\./));
  assert.deepEqual(harness.statuses(), []);
});

test('refuses a deployment while the engine is unavailable', async () => {
  await using harness = await Harness.with();
  harness.engine.controls.setAvailable(false);
  await harness.look();

  await assert.rejects(harness.request({ tag: 'v1' }), refusal('engine_unavailable', /./));
});

test('a deployment waits for an engine that restarts during the deployment', async () => {
  await using harness = await Harness.with();
  const gate = harness.engine.controls.pause('start');
  const id = await harness.request({ tag: 'v1' });
  await gate.reached;
  harness.engine.controls.setAvailable(false);
  gate.open();
  harness.engine.controls.setAvailable(true);
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'succeeded');
});

test('shows the error of the engine in the result of a failed deployment', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  harness.engine.controls.fail('start', { error: new EngineRefused('there is no network of that name') });

  const { error } = await harness.deploy('v2');

  assert.equal(error, 'there is no network of that name. Release v1 is still live.');
});

test('keeps traffic on the old release if the proxy cannot connect to the new release', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const before = await harness.snapshot();
  harness.proxy.setDown('i2', 'Layer4 connection problem');

  const row = await harness.deploy('v2');

  assert.equal(
    row.error,
    'The proxy cannot connect to the new release: Layer4 connection problem. Release v1 is still live.',
  );
  await harness.reconcile();
  assert.deepEqual(await harness.snapshot(), before);
});

test('a deployment waits for a proxy that is unavailable during the traffic switch', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.proxy.gate();
  const id = await harness.request({ tag: 'v2' });
  await gate.entered;

  gate.open(new ProxyUnavailable('the proxy was killed'));
  await harness.machine.settled();

  assert.equal(harness.row(id).status, 'succeeded');
  assert.deepEqual(harness.proxy.serving('web.production.shop.localhost'), ['i2']);
});

test('a deployment fails and keeps the old release if the proxy stays unavailable', async () => {
  const atOnce: Step = {
    ...STEPS.switch,
    run: (work, signal) => STEPS.switch.run({ ...work, limits: { ...work.limits, proxyAwayMs: 0 } }, signal),
  };
  await using harness = await Harness.with({}, { ...STEPS, switch: atOnce });
  await harness.deploy('v1');
  harness.proxy.setUnavailable('the proxy is gone');

  const row = await harness.deploy('v2');

  assert.equal(row.status, 'failed');
  assert.match(row.error ?? '', /^Davit cannot switch the traffic to the new release, .* Release v1 is still live\.$/);
  harness.proxy.setUnavailable(null);
  await harness.reconcile();
  assert.deepEqual(harness.proxy.serving('web.production.shop.localhost'), ['i1']);
});

test('a retired release runs until its sessions end without delaying the deployment', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  harness.proxy.setOpenSessions('i1', 1);

  const row = await harness.deploy('v2');

  assert.equal(row.status, 'succeeded');
  assert.equal(harness.engine.controls.containers().length, 2);
  harness.proxy.setOpenSessions('i1', 0);
  await harness.reconcile();
  assert.deepEqual(
    harness.engine.controls.containers().map((c) => c.name),
    ['davit-testtest-2-1'],
  );
});

test('removes an unrecorded container and keeps the live container', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const live = harness.engine.controls.containers()[0];
  const network = await harness.engine.ensureNetwork('davit-testtest-e1');
  await harness.engine.createGroup({
    kind: 'app',
    app: 'shop/production/web',
    deployment: 1,
    imageId: (await harness.engine.findImage('acme/web:v1'))?.id ?? '',
    network: network.name,
    env: {},
    command: null,
    args: null,
    limits: { cpu: null, memoryBytes: null, pids: 100 },
    stopSignal: 'SIGTERM',
    volumes: [],
    tcpPorts: [],
    files: [],
    members: [{ name: 'davit-testtest-1-9', address: network.lastAddress, env: {} }],
  });

  await harness.reconcile();

  assert.deepEqual(
    harness.engine.controls.containers().map((c) => c.id),
    [live?.id],
  );
});

test('starts a serving instance again after a manual stop', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.reconcile();
  const [instance] = harness.engine.controls.containers();
  await harness.engine.stop(instance?.id ?? '', { signal: 'SIGTERM', graceS: 1 });

  await harness.reconcile();

  assert.equal(harness.engine.controls.containers()[0]?.state, 'running');
});

for (const [tag, status] of [
  ['v2', 'succeeded'],
  ['crash', 'failed'],
] as const) {
  test(`a deployment is recorded as ${status} after database writes work again`, async () => {
    await using harness = await Harness.with();
    await harness.deploy('v1');
    const { store } = harness.core;
    const until = patience();

    const id = await harness.request({ tag });
    store.tx((tx) =>
      tx.run("CREATE TRIGGER disk BEFORE UPDATE ON deployments BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"),
    );
    while (harness.errors.length < 2) await setImmediate(undefined, { signal: until });
    store.tx((tx) => tx.run('DROP TRIGGER disk'));
    await harness.machine.ended(id, until);

    assert.equal(harness.row(id).status, status);
  });
}

test('a deployment fails if its variables cannot be decrypted, and the app can be deleted', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  harness.core.store.tx((tx) => tx.run("UPDATE revisions SET variables = 'v1.x.y.z'"));

  const row = await harness.deploy('v2');

  assert.equal(row.status, 'failed');
  assert.match(row.error ?? '', /^The variables of revision 1 cannot be decrypted/);
  assert.equal(harness.app().liveDeployment, 1);
  await deleteApp(harness.core, harness.ctx, harness.app());
  assert.deepEqual(harness.engine.controls.containers(), []);
});

test('refuses a new image on a nearly full disk but allows restarts and rollbacks', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  await harness.deploy('v2');
  harness.diskProblem = 'The disk is nearly full: make room, then deploy again.';

  await assert.rejects(harness.request({ tag: 'v3' }), refusal('storage_unavailable', /^The disk is nearly full/));
  const kinds = ['restart', 'rollback'] as const;
  for (const kind of kinds) {
    const trigger = { kind, by: 'ada', via: 'api' } as const;
    await harness.request(kind === 'rollback' ? { rollbackOf: 1, trigger } : { trigger });
    await harness.machine.settled();
  }

  assert.deepEqual(harness.statuses(), ['succeeded', 'succeeded', 'succeeded', 'succeeded']);
});

test('a deployment without a tag uses the tag of a waiting deployment, not of a restart', async () => {
  await using harness = await Harness.with();
  await harness.deploy('v1');
  const gate = harness.engine.controls.pause('start');
  await harness.request({ trigger: { kind: 'restart', by: 'ada', via: 'api' } });
  await gate.reached;
  await harness.request({ tag: 'v2' });
  await harness.request({ trigger: { kind: 'restart', by: 'ada', via: 'api' } });

  const id = await harness.request();
  gate.open();
  await harness.machine.settled();

  assert.equal(harness.row(id).tag, 'v2');
});
