import assert from 'node:assert/strict';
import type { EngineEvent } from '../../src/adapters/engine/engine.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

export const runningPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'tells the end of an instance, which stays down and can be looked at': async (stage) => {
    const { crashExitCode } = stage.rig.images;
    const id = await stage.running('crash');

    assert.deepEqual(await stage.engine.waitExit(id, soon()), { exitCode: crashExitCode, oomKilled: false });

    const [instance] = await stage.engine.observe();
    assert.equal(instance?.state, 'exited');
    assert.equal(instance?.exitCode, crashExitCode);
    assert.equal(instance?.restarts, 0);
  },

  'lets an instance go on that was paused': async (stage) => {
    const id = await stage.running('web');
    await stage.rig.freeze(id);
    assert.equal((await stage.engine.observe())[0]?.state, 'paused');

    await stage.engine.start(id);

    assert.equal((await stage.engine.observe())[0]?.state, 'running');
  },

  'tells the end of an instance that ended before': async (stage) => {
    const id = await stage.running('crash');
    const first = await stage.engine.waitExit(id, soon());
    await using later = stage.rig.reopen();

    assert.deepEqual(await later.waitExit(id, soon()), first);
  },

  'tells the end of an instance that is stopped while it is waited for': async (stage) => {
    const id = await stage.running('web');
    const end = stage.engine.waitExit(id, soon());

    await stage.engine.stop(id, { signal: 'SIGTERM', graceS: 5 });

    assert.ok((await end).exitCode > 0);
  },

  'tells the end of an instance that is removed while it is waited for': async (stage) => {
    const id = await stage.running('web');
    const end = stage.engine.waitExit(id, soon());

    await stage.engine.remove(id);

    assert.equal((await end).exitCode, 137);
  },

  'stops waiting for the end with the reason of its signal': async (stage) => {
    const id = await stage.running('web');
    const waiting = new AbortController();
    const end = stage.engine.waitExit(id, waiting.signal);
    const reason = new Error('called off');

    waiting.abort(reason);

    await assert.rejects(end, reason);
    assert.equal((await stage.engine.observe())[0]?.state, 'running');
  },

  'tells what happens to an instance, in order, until its signal aborts': async (stage) => {
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

  'leaves instances running when the adapter is let go': async (stage) => {
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

  'sees changes while it watches as well as when it does not': async (stage) => {
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
