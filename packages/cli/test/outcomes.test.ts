/** Commands that start work: the exit code is the outcome of the work. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EngineRefused } from '@davit/daemon/adapters/engine/errors.ts';
import { app, deployedApp, paramsOf, project } from '@davit/testkit';
import { allCommands } from '../src/commands/all.ts';
import { EXIT } from '../src/errors/exit.ts';
import { type Setup, withDavit } from './support/davit.ts';
import { INVOCATIONS } from './support/invocations.ts';

/** Docker refuses all of these, so no work that needs a container can succeed. */
const REFUSED = ['createGroup', 'start', 'stop', 'execute', 'runOnce', 'makeImage', 'ensureVolume'] as const;

interface Failing {
  words?: (setup: Setup) => Promise<readonly string[]>;
  /** Arguments after those of the usual invocation. */
  more?: readonly string[];
  exit?: number;
  /** Primitives of the engine that Docker refuses. Default: `REFUSED`. */
  refused?: readonly (typeof REFUSED)[number][];
}

const live = async ({ daemon }: Setup, ...more: readonly string[]) => [
  (await deployedApp(daemon)).app.reference,
  ...more,
];

const SPECIAL: Record<string, Failing> = {
  'app scale': { words: (setup) => live(setup, '3') },
  'database attach': {
    words: async (setup) => {
      const words = (await INVOCATIONS['database attach']?.words(setup)) ?? [];
      const [project = '', environment = '', name = ''] = (words[1] ?? '').split('/');
      const params = { project, environment, app: name };
      await setup.daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v1' } });
      return [...words, '--deploy'];
    },
  },
  'database detach': { more: ['--deploy'] },
  'object-store attach': {
    words: async (setup) => {
      const [store = '', bucket = ''] = (await INVOCATIONS['object-store attach']?.words(setup)) ?? [];
      return [store, bucket, ...(await live(setup)), '--deploy'];
    },
  },
  // A detached bucket only changes the variables, so an app without a release has nothing to deploy.
  'object-store detach': { more: ['--deploy'], exit: EXIT.conflict.code },
  'app set': { words: (setup) => live(setup, '--port', '3000', '--deploy') },
  // Docker cannot refuse a stop, but only delay it. The last suite of this file tests that.
  'app stop': { refused: [], exit: EXIT.ok.code },
  'env set': { words: (setup) => live(setup, 'A=1', '--deploy') },
  'env import': {
    words: async (setup) => {
      await setup.davit.write('outcome.env', 'A=1\n');
      return live(setup, 'outcome.env', '--deploy');
    },
  },
  'env unset': {
    words: async (setup) => {
      const { app } = await deployedApp(setup.daemon);
      await setup.daemon.client.setAppEnv({ params: paramsOf(app), body: { set: { A: '1' } } });
      return [app.reference, 'A', '--deploy'];
    },
  },
  'platform check': {
    words: async ({ daemon }) => {
      daemon.platform.fail('repository_unavailable');
      return [];
    },
    exit: EXIT.failed.code,
  },
  // Docker refuses to stop the containers of the app, so the app cannot be removed.
  'project delete': { words: async ({ daemon }) => [(await deployedApp(daemon)).app.project, '--yes'] },
  'revision restore': { words: (setup) => live(setup, '1', '--deploy') },
  'schedule run': { exit: EXIT.failed.code },
  // Reconcilers remove the containers later, so this work needs no container.
  'template uninstall': { exit: EXIT.ok.code },
};

const starting = (await allCommands()).filter(({ options }) => 'noWait' in options).map(({ path }) => path.join(' '));

describe('a command that starts work', () => {
  const on = withDavit();

  for (const name of starting) {
    test(`${name}: exits with the outcome of the work`, async () => {
      const usual = INVOCATIONS[name];
      const { words = usual?.words, more = [], exit = usual?.exit, refused = REFUSED } = SPECIAL[name] ?? {};
      const args = [...((await words?.(on)) ?? []), ...more];
      const { controls } = on.daemon.engine;
      for (const one of refused) controls.fail(one, { times: 1_000, error: new EngineRefused('refused') });

      const { code, stderr } = await on.davit.run([...name.split(' '), ...args]);

      controls.clearFailures();
      on.daemon.platform.fail(null);
      const expected = exit === undefined ? [EXIT.deploy_failed.code, EXIT.task_failed.code] : [exit];
      assert.ok(expected.includes(code), `exit code ${code}: ${stderr}`);
      if (code !== 0) assert.match(stderr, /error: /);
    });
  }

  test('environment promote: names the apps whose deployments failed, and deploys the others', async () => {
    const { app: source } = await deployedApp(on.daemon);
    const other = await deployedApp(on.daemon, { project: source.project });
    await on.daemon.client.createEnvironment({ params: { project: source.project }, body: { slug: 'next' } });
    for (const { name } of [source, other.app])
      await app(on.daemon, { project: source.project, environment: 'next', name });
    on.daemon.engine.controls.fail('createGroup', { error: new EngineRefused('refused') });

    const { code, stdout, stderr } = await on.davit.run([
      ...['environment', 'promote', `${source.project}/next`, '--from', 'production'],
    ]);

    assert.equal(code, EXIT.deploy_failed.code, stderr);
    assert.equal(stdout.match(/Deployment \d+ of .* failed/g)?.length, 1, stdout);
    assert.equal(stdout.match(/ {2}deployment \d+/g)?.length, 1, stdout);
  });

  test('app promote: deploys to the named app, from staging by default', async () => {
    const target = await app(on.daemon);
    await on.daemon.client.createEnvironment({ params: { project: target.project }, body: { slug: 'staging' } });
    const source = await deployedApp(on.daemon, {
      ...{ project: target.project, environment: 'staging', name: target.name },
    });

    const { code, stderr } = await on.davit.run(['app', 'promote', target.reference]);

    assert.equal(code, EXIT.ok.code, stderr);
    const [live] = await on.daemon.client.listDeployments({ params: paramsOf(target) });
    assert.equal(live?.digest, source.deployment.digest);
    assert.equal(live?.promoted_from?.app, source.app.reference);
  });

  test('environment promote: fails if no app is in both environments', async () => {
    const name = await project(on.daemon);
    await on.daemon.client.createEnvironment({ params: { project: name }, body: { slug: 'next' } });

    const { code, stderr } = await on.davit.run(['environment', 'promote', `${name}/next`, '--from', 'production']);

    assert.equal(code, EXIT.conflict.code);
    assert.match(stderr, /No app with a live release in .*\/production has the same name in .*\/next\./);
  });

  test('app rollback: first names the restored deployment and each change', async () => {
    const { app: web, deployment } = await deployedApp(on.daemon);
    const params = paramsOf(web);
    const set = { DATABASE_URL: 'postgres://hidden' };
    await on.daemon.client.setAppEnv({ params, query: { deploy: 'true' }, body: { set } });
    await on.daemon.settled();

    const plain = await on.davit.run(['rollback', web.reference]);
    const json = await on.davit.run(['rollback', web.reference, '--to', String(deployment.id), '--json']);

    const { id, revision } = deployment;
    assert.equal(plain.code, 0, plain.stderr);
    assert.ok(
      plain.stderr.startsWith(
        `The rollback restores deployment ${id}: tag v1, revision ${revision}.\nThe tag v1 is deployed again.\nRemoved variables: DATABASE_URL.\n`,
      ),
      plain.stderr,
    );
    assert.doesNotMatch(plain.stderr, /hidden/);
    assert.deepEqual([json.code, json.stderr, JSON.parse(json.stdout).rollback_of], [0, '', id]);
  });

  test('app scale: waits for the deployment, and starts none if nothing changes', async () => {
    const args = await live(on, '2');
    const scaled = await on.davit.run(['app', 'scale', ...args]);
    assert.equal(scaled.code, 0, scaled.stderr);
    assert.match(scaled.stderr, /is live/);
    const again = await on.davit.run(['app', 'scale', ...args]);
    assert.deepEqual([again.code, /no deployment was necessary/.test(again.stdout)], [0, true]);
  });

  for (const [name, option] of [
    ['app set', ['--scale', '2']],
    ['revision restore', []],
  ] as const) {
    test(`${name}: follows the deployment that a new number of replicas starts`, async () => {
      const { app: made } = await deployedApp(on.daemon);
      const revision = name === 'revision restore' ? ['1'] : [];
      if (revision.length > 0) await on.davit.run(['app', 'scale', made.reference, '2']);

      const { code, stderr } = await on.davit.run([...name.split(' '), made.reference, ...revision, ...option]);

      assert.equal(code, 0, stderr);
      assert.match(stderr, /is live/);
    });
  }

  test('env set: names all apps whose deployments failed', async () => {
    const { app: one } = await deployedApp(on.daemon);
    const { app: other } = await deployedApp(on.daemon, { project: one.project });
    on.daemon.engine.controls.fail('createGroup', { times: 2, error: new EngineRefused('refused') });

    const { code, stderr } = await on.davit.run(['env', 'set', one.project, 'A=1', '--deploy']);

    assert.equal(code, EXIT.deploy_failed.code, stderr);
    assert.match(stderr, /These apps were not deployed: /);
    for (const { reference } of [one, other]) assert.match(stderr.split('error:')[1] ?? '', new RegExp(reference));
  });
});

describe('davit app stop', () => {
  const on = withDavit();

  test('returns when Docker has stopped all replicas, or immediately with --no-wait', async () => {
    const { app: made } = await deployedApp(on.daemon);
    const read = () => on.daemon.client.getApp({ params: paramsOf(made) });
    const gate = on.daemon.engine.controls.pause('stop');
    let isDone = false;
    const stopping = on.davit.run(['app', 'stop', made.reference]).finally(() => {
      isDone = true;
    });

    await gate.reached;
    const early = await on.davit.run(['app', 'stop', made.reference, '--no-wait']);

    assert.deepEqual([early.code, isDone, (await read()).replicas.length], [0, false, 1]);
    gate.open();
    assert.equal((await stopping).code, 0);
    assert.deepEqual((await read()).replicas, []);
  });

  test('fails if the app is started before all replicas have stopped', async () => {
    const { app: made } = await deployedApp(on.daemon);
    const gate = on.daemon.engine.controls.pause('stop');
    const stopping = on.davit.run(['app', 'stop', made.reference]);
    await gate.reached;

    await on.daemon.client.startApp({ params: paramsOf(made), query: { wait: 'true' } });
    const { code, stderr } = await stopping;

    gate.open();
    assert.equal(code, EXIT.conflict.code);
    assert.match(stderr, /was started again before all its replicas had stopped/);
  });
});
