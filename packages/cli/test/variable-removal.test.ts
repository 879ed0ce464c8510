import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { app, deployedApp, paramsOf } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('davit env unset', () => {
  const on = withDavit();

  it('distinguishes removed variables from variables that were not set', async () => {
    const made = await app(on.daemon);
    await on.daemon.client.setAppEnv({ params: paramsOf(made), body: { set: { A: '1' } } });
    const line = ['env', 'unset', made.reference, 'A', 'NOPE'];

    const first = await on.davit.run(line);
    const second = await on.davit.run(line);

    assert.deepEqual(first, {
      code: 0,
      stdout: `A of ${made.reference} is removed. The change takes effect with the next deployment.\n`,
      stderr: `NOPE of ${made.reference} was not set.\n`,
    });
    assert.deepEqual(second, { code: 0, stdout: `A, NOPE of ${made.reference} were not set.\n`, stderr: '' });
  });

  it('removes a variable that cannot be decrypted', async () => {
    const made = await app(on.daemon);
    await on.daemon.client.setAppEnv({ params: paramsOf(made), body: { set: { A: '1' } } });
    on.daemon.core.store.tx((tx) => tx.run("UPDATE variables SET key = 'DAMAGED' WHERE key = 'A'"));

    const { code, stderr } = await on.davit.run(['env', 'unset', made.reference, 'DAMAGED']);

    assert.equal(code, 0, stderr);
    assert.deepEqual((await on.daemon.client.getAppEnv({ params: paramsOf(made) })).vars, {});
  });

  it('reports with --deploy that a variable was not set', async () => {
    const made = (await deployedApp(on.daemon)).app;

    const own = await on.davit.run(['env', 'unset', made.reference, 'NOPE', '--deploy']);
    const wide = await on.davit.run(['env', 'unset', made.project, 'NOPE', '--deploy']);

    assert.equal(own.code, 0, own.stderr);
    assert.match(own.stdout, /^NOPE of .* was not set\.$/m);
    assert.deepEqual(wide, { code: 0, stdout: `NOPE of ${made.project} was not set.\n`, stderr: '' });
  });
});
