import assert from 'node:assert/strict';
import type { EngineEvent } from '../../src/adapters/engine/engine.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

export const runningPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'reports the exit code of a crashed container and does not restart the container': async (stage) => {
    const { crashExitCode } = stage.rig.images;
    const id = await stage.running('crash');

    assert.deepEqual(await stage.engine.waitExit(id, soon()), { exitCode: crashExitCode, oomKilled: false });

    const [instance] = await stage.engine.observe();
    assert.equal(instance?.state, 'exited');
    assert.equal(instance?.exitCode, crashExitCode);
    assert.equal(instance?.restarts, 0);
  },

  'resumes a paused container when start is called': async (stage) => {
    const id = await stage.running('web');
    await stage.rig.freeze(id);
    assert.equal((await stage.engine.observe())[0]?.state, 'paused');

    await stage.engine.start(id);

    assert.equal((await stage.engine.observe())[0]?.state, 'running');
  },

  'returns the same exit result for a container that already exited': async (stage) => {
    const id = await stage.running('crash');
    const first = await stage.engine.waitExit(id, soon());
    await using later = stage.rig.reopen();

    assert.deepEqual(await later.waitExit(id, soon()), first);
  },

  'reports the exit of a container stopped during the wait': async (stage) => {
    const id = await stage.running('web');
    const end = stage.engine.waitExit(id, soon());

    await stage.engine.stop(id, { signal: 'SIGTERM', graceS: 5 });

    assert.ok((await end).exitCode > 0);
  },

  'reports exit code 137 for a container removed during the wait': async (stage) => {
    const id = await stage.running('web');
    const end = stage.engine.waitExit(id, soon());

    await stage.engine.remove(id);

    assert.equal((await end).exitCode, 137);
  },

  'rejects a wait for a container’s exit with the reason of its aborted signal': async (stage) => {
    const id = await stage.running('web');
    const waiting = new AbortController();
    const end = stage.engine.waitExit(id, waiting.signal);
    const reason = new Error('called off');

    waiting.abort(reason);

    await assert.rejects(end, reason);
    assert.equal((await stage.engine.observe())[0]?.state, 'running');
  },

  'emits the events of a container in order until the signal aborts': async (stage) => {
    const watching = new AbortController();
    const events = stage.engine.watch(watching.signal);
    const id = await stage.running('crash');
    await stage.engine.waitExit(id, soon());
    await stage.engine.remove(id);

    const actions: string[] = [];
    for await (const event of events) {
      if (isOf(event, id)) actions.push(event.action);
      if (actions.at(-1) === 'destroy') watching.abort();
    }

    const milestones = ['create', 'start', 'die', 'destroy'];
    assert.deepEqual(
      actions.filter((action) => milestones.includes(action)),
      milestones,
    );
  },

  'keeps containers running when the adapter is closed': async (stage) => {
    const id = await stage.running('web');
    {
      await using before = stage.rig.reopen();
      await before.observe();
    }

    await using later = stage.rig.reopen();
    const [instance] = await later.observe();
    assert.equal(instance?.id, id);
    assert.equal(instance?.state, 'running');
  },

  'reports current container states while an event stream is open': async (stage) => {
    const watching = new AbortController();
    const { engine } = stage;
    const first = await stage.running('web');
    const events = engine.watch(watching.signal)[Symbol.asyncIterator]();
    await engine.observe();

    await engine.stop(first, { signal: 'SIGTERM', graceS: 5 });
    assert.equal((await engine.observe())[0]?.state, 'exited');
    await engine.start(first);
    assert.equal((await engine.observe())[0]?.state, 'running');

    watching.abort();
    await drain(events);
  },
};

function isOf(event: EngineEvent, id: string): event is Extract<EngineEvent, { kind: 'changed' }> {
  return event.kind === 'changed' && event.id === id;
}

async function drain(events: AsyncIterator<EngineEvent>): Promise<void> {
  while ((await events.next()).done !== true);
}
