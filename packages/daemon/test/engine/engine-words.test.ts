/** Errors of the engine: users get a fixed sentence and a code, and the log gets the text of the engine. */

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { App, Deployment, Run, Task } from '@davit/api';
import { bootDaemon, deployedApp, project, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';

const SECRET = 'SECRET-TEXT-OF-THE-ENGINE';

describe('error text of the engine', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon({ taskLimits: { readyEveryMs: 1 } });
  });
  afterEach(() => daemon.engine.controls.clearFailures());
  after(() => daemon[Symbol.asyncDispose]());

  const refuse = (primitive: 'start' | 'createGroup' | 'runOnce' | 'openTerminal' | 'setLimits' | 'removeVolume') =>
    daemon.engine.controls.fail(primitive, { times: 100, error: new EngineProblem('port_taken', primitive, SECRET) });

  function assertHidden(text: string): void {
    assert.equal(text.includes(SECRET), false, text);
    assert.ok(daemon.log.lines.some((line) => line.includes(SECRET) && line.includes('"code":"port_taken"')));
  }

  async function read<T>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string; of: T }> {
    const { status, text } = await daemon.call(method, path, body);
    return { status, text, of: JSON.parse(text.startsWith('{') ? text : '{}') as T };
  }

  for (const primitive of ['createGroup', 'start'] as const) {
    it(`does not appear in a deployment after a refused ${primitive} call`, async () => {
      const { app } = await deployedApp(daemon);
      refuse(primitive);

      const { of } = await read<Deployment>('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag: 'v2' });

      assert.deepEqual([of.status, of.error_code], ['failed', 'port_taken']);
      assert.match(of.error ?? '', /^Another program on the server uses the port or the address/);
      assertHidden((await read('GET', `/api/deployments/${of.id}`)).text);
    });
  }

  it('does not appear in a failed task', async () => {
    const body = { project: await project(daemon), name: 'main', engine: 'postgres' };
    refuse('start');

    const { of } = await read<Task>('POST', '/api/databases?wait=true', body);

    assert.deepEqual([of.status, of.error_code], ['failed', 'port_taken']);
    assertHidden((await read('GET', `/api/tasks/${of.id}`)).text);
  });

  it('does not appear in a failed run', async () => {
    const { app } = await deployedApp(daemon);
    refuse('runOnce');

    const { of, text } = await read<Run>('POST', `/api/apps/${app.reference}/run`, { command: ['true'] });

    assert.deepEqual([of.status, of.error_code], ['failed', 'port_taken'], text);
    assertHidden((await read('GET', `/api/apps/${app.reference}/runs/${of.id}`)).text);
  });

  it('does not appear in the status reason of an app', async () => {
    const { app } = await deployedApp(daemon);
    const [container] = daemon.engine.controls.containers().filter((one) => one.app === app.reference);
    refuse('start');
    refuse('createGroup');
    await daemon.engine.stop(container?.id ?? '', { signal: 'SIGTERM', graceS: 0 });

    const status = await until('the status has its reason', async () => {
      const { of, text } = await read<App>('GET', `/api/apps/${app.reference}`);
      return of.status_reason === null ? null : text;
    });

    assertHidden(status);
  });

  it('does not appear in the response to a failed request', async () => {
    const { app } = await deployedApp(daemon);
    refuse('setLimits');

    const { status, text } = await read('PATCH', `/api/apps/${app.reference}`, {
      limits: { memory_bytes: 256 * 2 ** 20 },
    });

    assert.equal(status, 409, text);
    assertHidden(text);
  });
});
