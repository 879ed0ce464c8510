/** Commands that start work: the exit code is the outcome of the work. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EngineRefused } from '@davit/daemon/adapters/engine/errors.ts';
import { app, deployedApp, project } from '@davit/testkit';
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
  // Reconcilers remove the containers later, so this work needs no container.
  'template uninstall': { exit: EXIT.ok.code },
};

const starting = (await allCommands()).filter(({ options }) => 'noWait' in options).map(({ path }) => path.join(' '));

describe('a command that starts work', () => {
  const on = withDavit();

  for (const name of starting) {
    test(`${name}: exits with the outcome of the work`, async () => {
      const usual = INVOCATIONS[name];
      const { words = usual?.words, more = [], exit = usual?.exit } = SPECIAL[name] ?? {};
      const args = [...((await words?.(on)) ?? []), ...more];
      const { controls } = on.daemon.engine;
      for (const one of REFUSED) controls.fail(one, { times: 1_000, error: new EngineRefused('refused') });

      const { code, stderr } = await on.davit.run([...name.split(' '), ...args]);

      controls.clearFailures();
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

  test('environment promote: fails if no app is in both environments', async () => {
    const name = await project(on.daemon);
    await on.daemon.client.createEnvironment({ params: { project: name }, body: { slug: 'next' } });

    const { code, stderr } = await on.davit.run(['environment', 'promote', `${name}/next`, '--from', 'production']);

    assert.equal(code, EXIT.conflict.code);
    assert.match(stderr, /No app with a live release in .*\/production has the same name in .*\/next\./);
  });

  test('app scale: waits for the deployment, and starts none if nothing changes', async () => {
    const args = await live(on, '2');
    const scaled = await on.davit.run(['app', 'scale', ...args]);
    assert.equal(scaled.code, 0, scaled.stderr);
    assert.match(scaled.stderr, /is live/);
    const again = await on.davit.run(['app', 'scale', ...args]);
    assert.deepEqual([again.code, /no deployment was necessary/.test(again.stdout)], [0, true]);
  });
});
