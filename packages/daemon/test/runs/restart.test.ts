import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Run } from '@davit/api';
import { bootDaemon, deployedApp } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

describe('a running command during a daemon restart', () => {
  it('continues, and its output and exit code are recorded', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const command = ['sh', '-c', 'echo begun; sleep 1000'];
    const waiting = daemon.call('POST', `/api/apps/${app.reference}/run`, { command });
    const detached = await daemon.call('POST', `/api/apps/${app.reference}/run?detach=true`, { command });
    const going = () => daemon.engine.controls.containers().filter((c) => c.kind === 'run' && c.state === 'running');
    await until('both are going', async () => (going().length === 2 ? true : null));
    const before = going().map(({ id }) => id);

    await daemon.restart();

    assert.equal((await waiting).status, 503);
    assert.deepEqual(
      going().map(({ id }) => id),
      before,
    );
    const { id } = JSON.parse(detached.text) as Run;
    const name = `davit-${daemon.core.facts.id}-run-${id}`;
    const container = going().find((one) => one.name === name);
    daemon.engine.controls.writeLog(container?.id ?? '', 'after the restart');
    daemon.engine.controls.kill(container?.id ?? '', { exitCode: 5 });
    const run = await until('its end', async () => {
      const { text } = await daemon.call('GET', `/api/apps/${app.reference}/runs/${id}`);
      return (JSON.parse(text) as Run).status === 'running' ? null : (JSON.parse(text) as Run);
    });
    assert.deepEqual([run.status, run.exit_code, run.output], ['failed', 5, 'begun\nafter the restart\n']);
  });

  it('fails without a retry if its container is missing after the start', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const { text } = await daemon.call('POST', `/api/apps/${app.reference}/run?detach=true`, {
      command: ['sleep', '1000'],
    });
    const { id } = JSON.parse(text) as Run;
    const going = () => daemon.engine.controls.containers().filter((c) => c.kind === 'run' && c.state === 'running');
    await until('it is going', async () => (going().length === 1 ? true : null));
    await daemon.stop();
    await daemon.engine.remove(going()[0]?.id ?? '');
    const begun = daemon.engine.controls.count('runOnce');

    await daemon.start();

    const run = await until('its end', async () => {
      const { text: record } = await daemon.call('GET', `/api/apps/${app.reference}/runs/${id}`);
      return (JSON.parse(record) as Run).status === 'running' ? null : (JSON.parse(record) as Run);
    });
    assert.equal(run.status, 'failed');
    assert.match(run.error ?? '', /container of the run does not exist anymore/);
    assert.equal(daemon.engine.controls.count('runOnce'), begun);
  });
});
