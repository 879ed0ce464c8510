import assert from 'node:assert/strict';
import { until } from '@davit/testkit/waiting';
import type { Engine } from '../../src/adapters/engine/engine.ts';
import type { Probe } from '../../src/adapters/engine/probe.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

const HTTP: Probe = { kind: 'http', port: 8080, path: '/', timeoutMs: 2000 };
const TCP: Probe = { kind: 'tcp', port: 8080, timeoutMs: 2000 };
const COMMAND: Probe = { kind: 'command', timeoutMs: 5000 };

export const lookingPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'reports success for HTTP and TCP probes of a responding container': async (stage) => {
    const id = await stage.running('web');

    await until('it answers', async () => (await stage.engine.probe(id, HTTP)).ok);

    assert.deepEqual(await stage.engine.probe(id, TCP), { ok: true });
    await using later = stage.rig.reopen();
    assert.deepEqual(await later.probe(id, HTTP), { ok: true });
  },

  'returns a reason instead of throwing when a container probe fails': async (stage) => {
    const silent = await stage.running('silent');
    const [created] = await stage.engine.createGroup(await stage.group());

    for (const [id, probe] of [
      [silent, HTTP],
      [silent, TCP],
      [created, HTTP],
      ['0'.repeat(64), TCP],
    ] as const) {
      const result = await stage.engine.probe(id ?? '', probe);
      assert.equal(result.ok, false);
      assert.ok(!result.ok && result.reason.length > 0);
    }
  },

  "runs the image's healthcheck inside the instance": async (stage) => {
    const healthy = await stage.running('healthy');
    const sick = await stage.running('sick');

    assert.deepEqual(await stage.engine.probe(healthy, COMMAND), { ok: true });
    assert.equal((await stage.engine.probe(sick, COMMAND)).ok, false);
  },

  'returns log lines of a container with their stream in time order': async (stage) => {
    const before = new Date(Date.now() - 60_000);
    const id = await stage.running('crash');
    await stage.engine.waitExit(id, soon());

    const lines = await stage.engine.lastLines(id, 10);

    assert.deepEqual(lines.map((line) => line.stream).sort(), ['stderr', 'stdout']);
    assert.equal(lines.find((line) => line.stream === 'stdout')?.line, 'starting');
    assert.match(lines.find((line) => line.stream === 'stderr')?.line ?? '', /fatal/);
    assert.deepEqual(
      lines,
      lines.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    );
    assert.ok(lines.every((line) => line.at > before));
    assert.deepEqual(await stage.engine.lastLines(id, 1), lines.slice(-1));
    assert.deepEqual(await stage.engine.lastLines(id, 0), []);
  },

  'returns log batches of a container and resumes after a given position': async (stage) => {
    const { engine, rig } = stage;
    const id = await stage.running('silent');
    await until('it has written', async () => (await batched(engine, id, null)).lines.length === 1);
    const { lines, position } = await batched(engine, id, null);
    assert.deepEqual(lines, ['starting']);
    assert.deepEqual(await batched(engine, id, position), { lines: [], position });

    await rig.write(id, 'one');
    await until('it is there', async () => (await batched(engine, id, position)).lines.length === 1);
    await engine.stop(id, { signal: 'SIGKILL', graceS: 0 });

    const followed = await batched(engine, id, position, true);
    assert.deepEqual(followed.lines, ['one']);
    assert.deepEqual((await batched(engine, id, followed.position, true)).lines, []);
    assert.deepEqual((await batched(engine, '0'.repeat(64), null, true)).lines, []);
  },

  'returns no log lines for a container that does not exist': async ({ engine }) => {
    assert.deepEqual(await engine.lastLines('0'.repeat(64), 10), []);
  },

  'ends following a container’s log when the signal aborts': async ({ engine, running }) => {
    const id = await running('silent');
    const following = new AbortController();
    const batches = Array.fromAsync(engine.logBatches(id, { after: null, follow: true, signal: following.signal }));

    following.abort();

    assert.ok((await batches).length <= 1);
  },
};

/** Returns all lines after a position, and the position after them. */
async function batched(engine: Engine, id: string, after: string | null, follow = false) {
  const lines: string[] = [];
  let position = after;
  for await (const batch of engine.logBatches(id, { after, follow, signal: soon() })) {
    lines.push(...batch.text.toString().split('\n').slice(0, -1));
    ({ position } = batch);
  }
  return { lines, position };
}
