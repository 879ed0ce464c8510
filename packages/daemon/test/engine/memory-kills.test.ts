/** Reasons that an app and a deployment show after a replica used more memory than its limit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bootDaemon, deployedApp, paramsOf } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { watchContainers } from '../../src/reconcilers/containers.ts';
import { patchApp } from '../../src/resources/apps/settings.ts';
import { Harness } from '../support/harness.ts';

const memory = (mebibytes: number) => ({ limits: { memory_bytes: mebibytes * 2 ** 20 } });
const REASON = /was killed because the replica used more memory than its limit of 64 MiB\. Raise the memory limit/;

/** Returns an environment with a live app, and the id of its container. */
async function live(): Promise<{ harness: Harness; container: string }> {
  const harness = await Harness.with(memory(64));
  await harness.deploy('v1');
  await harness.reconcile();
  const [container] = harness.engine.controls.containers();
  return { harness, container: container?.id ?? '' };
}

describe('a live app', () => {
  it('shows a kill for an hour, although the replica runs again', async () => {
    const { harness, container } = await live();
    await using _ = harness;
    harness.engine.controls.kill(container, { exitCode: 137, oomKilled: true });
    harness.outOfMemory(container);
    await harness.look();
    assert.match(harness.reason() ?? '', REASON);
    harness.wait(3_500_000);
    await harness.look();
    assert.match(harness.reason() ?? '', REASON);
    harness.wait(100_000);
    await harness.look();
    assert.equal(harness.reason(), null);
  });

  it('shows a kill until the memory limit is raised', async () => {
    const { harness, container } = await live();
    await using _ = harness;
    harness.outOfMemory(container);
    await harness.look();
    assert.match(harness.reason() ?? '', REASON);

    await patchApp(harness.core, harness.ctx, harness.app(), memory(128));
    await harness.look();

    assert.equal(harness.reason(), null);
  });

  it('shows a kill until another release is live', async () => {
    const { harness, container } = await live();
    await using _ = harness;
    harness.outOfMemory(container);
    await harness.look();
    assert.match(harness.reason() ?? '', REASON);

    await harness.deploy('v2');
    await harness.look();

    assert.equal(harness.reason(), null);
  });

  it('shows a kill of a process in a running container, but not again after a restart of the daemon', async () => {
    const { harness } = await live();
    await using _ = harness;
    const [container] = harness.engine.controls.containers();
    Object.assign(container ?? {}, { oomKilled: true });

    await harness.look();
    const next = watchContainers(harness.core, async () => undefined, harness.ctx.log);
    await next.task.run(new AbortController().signal);

    assert.match(harness.reason() ?? '', REASON);
    assert.equal(next.latest().reasonOf(harness.app().id), null);
  });

  it('shows no reason for a replica that exits for another reason', async () => {
    const { harness, container } = await live();
    await using _ = harness;
    harness.engine.controls.kill(container, { exitCode: 137 });
    await harness.look();

    assert.equal(harness.reason(), null);
  });

  it('shows a kill that the engine reports', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon, memory(64));
    const container = daemon.engine.controls.containers().find(({ kind }) => kind === 'app');
    daemon.engine.controls.kill(container?.id ?? '', { exitCode: 137, oomKilled: true });
    const reason = await until('the app shows the reason', async () => {
      return (await daemon.client.getApp({ params: paramsOf(app) })).status_reason;
    });

    assert.match(reason, REASON);
  });
});

describe('a deployment', () => {
  it('fails with a code and the memory limit if a new replica is killed', async () => {
    await using harness = await Harness.with(memory(64));

    const { error, error_code: code } = await harness.deploy('oom');

    assert.equal(code, 'memory_limit_exceeded');
    assert.match(error ?? '', /^Replica 1 was killed because .+ its limit of 64 MiB\. Raise the memory limit/);
  });
});
