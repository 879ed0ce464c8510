/** Tests changes with `--dry-run`: the command shows the plan and changes nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppPlan, DeployPlan } from '@davit/api';
import { deployedApp, app as newApp, paramsOf } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('a change with --dry-run', () => {
  const on = withDavit();

  /** Returns the variables, revisions and deployments of an app, which a dry run must not change. */
  async function state(reference: string): Promise<string[]> {
    const parts = ['/env', '/revisions', '/deployments'];
    const answers = await Promise.all(parts.map((part) => on.daemon.call('GET', `/api/apps/${reference}${part}`)));
    return answers.map(({ text }) => text);
  }

  it('of settings shows the changes and steps without applying them', async () => {
    const { app } = await deployedApp(on.daemon);
    const before = await state(app.reference);
    const words = ['app', 'set', app.reference, '--health-path', '/ready', '--dry-run'];

    const plain = await on.davit.run(words);
    const withDeploy = await on.davit.run([...words, '--deploy', '--json']);

    assert.equal(plain.code, 0, plain.stderr);
    const plan = JSON.parse(withDeploy.stdout) as DeployPlan;
    assert.deepEqual(plain.stdout.trimEnd().split('\n'), [
      ...plan.changes,
      ...plan.steps.map(({ describe }) => `  ${describe}`),
    ]);
    assert.match(plan.changes.join('\n'), /\/ready/);
    assert.ok(plan.steps.length > 0);
    assert.deepEqual(await state(app.reference), before);
  });

  it('of variables shows the plan of every affected app', async () => {
    const { app } = await deployedApp(on.daemon);
    const { project } = paramsOf(app);
    const before = await state(app.reference);

    const own = await on.davit.run(['env', 'set', app.reference, 'LOG_LEVEL=debug', '--dry-run']);
    const wide = await on.davit.run(['env', 'set', project, 'LOG_LEVEL=debug', '--dry-run']);
    const json = await on.davit.run(['env', 'set', project, 'LOG_LEVEL=debug', '--dry-run', '--json']);

    assert.match(own.stdout, /^The tag v1 is deployed again\.\nAdded variables: LOG_LEVEL\.\n {2}find /, own.stderr);
    assert.equal(wide.stdout, `${app.reference}\n${own.stdout}`, wide.stderr);
    assert.deepEqual(
      (JSON.parse(json.stdout) as AppPlan[]).map((one) => one.app),
      [app.reference],
    );
    assert.deepEqual(await state(app.reference), before);
  });

  it('of removed variables shows the plan or reports no affected app', async () => {
    const { app } = await deployedApp(on.daemon);
    const { project } = paramsOf(app);
    await on.davit.run(['env', 'set', app.reference, 'LOG_LEVEL=debug', '--deploy']);
    await on.daemon.settled();
    const before = await state(app.reference);

    const gone = await on.davit.run(['env', 'unset', app.reference, 'LOG_LEVEL', '--dry-run']);
    const none = await on.davit.run(['env', 'unset', project, 'NOTHING', '--dry-run']);

    assert.match(
      gone.stdout,
      /^The tag v1 is deployed again\.\nRemoved variables: LOG_LEVEL\.\n {2}find /,
      gone.stderr,
    );
    assert.equal(none.stdout, 'The change does not affect any live app.\n', none.stderr);
    assert.deepEqual(await state(app.reference), before);
  });

  it('is refused for an app without a release', async () => {
    const never = await newApp(on.daemon);
    const { code, stdout, stderr } = await on.davit.run(['app', 'set', never.reference, '--port', '3000', '--dry-run']);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /has no release yet/);
  });
});
