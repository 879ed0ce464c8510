import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '@davit/testkit/waiting';
import { CoreWorld } from '../../../test/support/core-world.ts';
import { findLogs, type LogRequest, readLogs } from './log.ts';

/** Reads the logs after all output has been stored. */
async function read(world: CoreWorld, ask: Partial<LogRequest> = {}): Promise<string> {
  await kept(world);
  return readLogs(world.core, world.admin, world.app(), { format: 'text', ...ask });
}

async function kept(world: CoreWorld): Promise<void> {
  const { logs } = world.core;
  const written = world.engine.controls.containers().reduce((sum, container) => sum + container.logs.length, 0);
  const everything = { limit: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  logs.nudge();
  await until('every line is kept', async () => {
    const { lines } = await logs.search(world.app().id, everything, world.admin.signal);
    return lines.length === written;
  });
}

/** Starts a live release and returns the ids of its containers. */
async function running(world: CoreWorld, replicas = 1): Promise<string[]> {
  const ids = await world.runContainers(world.release({ replicas }));
  for (const id of ids) await world.engine.start(id);
  world.clock += 60_000;
  return ids;
}

function write(world: CoreWorld, id: string | undefined, ...lines: string[]): void {
  for (const line of lines) {
    world.clock += 1_000;
    world.engine.controls.writeLog(id ?? '', line);
  }
}

test('logs of a single replica are unchanged except for NUL characters', async () => {
  using world = CoreWorld.withApp();
  const [id] = await running(world);
  write(world, id, 'one', '\u001b[31mred\u001b[0m', 'a\u0000b');

  assert.equal(await read(world), 'listening\none\n\u001b[31mred\u001b[0m\na\uFFFDb\n');
});

test('logs of several replicas are merged by time with replica names', async () => {
  using world = CoreWorld.withApp();
  const [a, b] = await running(world, 2);
  write(world, a, 'one');
  write(world, b, 'two');
  write(world, a, 'three');

  assert.equal(await read(world, { tail: '3' }), '1-1 | one\n1-2 | two\n1-1 | three\n');
});

test('the tail counts the lines of all replicas together', async () => {
  using world = CoreWorld.withApp();
  const [a, b] = await running(world, 2);
  write(world, a, 'one', 'two');
  write(world, b, 'three', 'four');

  assert.equal(await read(world, { tail: '3' }), '1-1 | two\n1-2 | three\n1-2 | four\n');
  assert.equal(await read(world, { limit: 1 }), 'four\n');
  assert.equal(await read(world, { tail: '0' }), '');
});

test('the options “since” and “until” limit the log lines by time', async () => {
  using world = CoreWorld.withApp();
  const [id] = await running(world);
  write(world, id, 'early', 'middle', 'late');
  await kept(world);
  const { lines } = await findLogs(world.core, world.admin, world.app(), { format: 'json' });
  const { at } = lines.find(({ line }) => line === 'middle') ?? { at: '' };

  assert.equal(await read(world, { since: at }), 'middle\nlate\n');
  assert.equal(await read(world, { until: at }), 'listening\nearly\n');
});

test('a log response above the size limit omits the earliest lines with a notice', async () => {
  using world = CoreWorld.withApp();
  const [id] = await running(world);
  const line = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 200; n++) world.engine.controls.writeLog(id ?? '', line);

  const [notice, ...lines] = (await read(world, { tail: 'all' })).trimEnd().split('\n');

  assert.match(notice ?? '', /^\[earlier lines are omitted/);
  assert.equal(lines.length, 159);
  assert.doesNotMatch(await read(world, { tail: '10' }), /left out/);
});

test('a tail above the maximum is limited, with a notice about earlier lines', async () => {
  using world = CoreWorld.withApp();
  const [id] = await running(world);
  for (let n = 0; n < 10_001; n++) world.engine.controls.writeLog(id ?? '', `${n}`);

  const lines = (await read(world, { tail: '20000' })).trimEnd().split('\n');

  assert.equal(lines.length, 10_001);
  assert.match(lines[0] ?? '', /last 10000/);
  assert.equal(lines[1], '1');
});

test('an app that never ran has no log lines', async () => {
  using world = CoreWorld.withApp();

  assert.equal(await read(world), '');
});

test('stored logs are readable while the engine is unavailable', async () => {
  using world = CoreWorld.withApp();
  const [id] = await running(world);
  write(world, id, 'before');
  await kept(world);
  world.engine.controls.setAvailable(false);

  assert.equal(await readLogs(world.core, world.admin, world.app(), { format: 'text' }), 'listening\nbefore\n');
});
