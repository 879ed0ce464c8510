import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '@davit/testkit/waiting';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import { findLogs, type LogRequest, readLogs } from './log.ts';

/** Reads the logs after all output has been stored. */
async function read(harness: CoreHarness, request: Partial<LogRequest> = {}): Promise<string> {
  await kept(harness);
  return readLogs(harness.core, harness.admin, harness.app(), { format: 'text', ...request });
}

async function kept(harness: CoreHarness): Promise<void> {
  const { logs } = harness.core;
  const written = harness.engine.controls.containers().reduce((sum, container) => sum + container.logs.length, 0);
  const everything = { limit: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  logs.nudge();
  await until('every line is kept', async () => {
    const { lines } = await logs.search(harness.app().id, everything, harness.admin.signal);
    return lines.length === written;
  });
}

/** Starts a live release and returns the ids of its containers. */
async function running(harness: CoreHarness, replicas = 1): Promise<string[]> {
  const ids = await harness.runContainers(harness.release({ replicas }));
  for (const id of ids) await harness.engine.start(id);
  harness.clock += 60_000;
  return ids;
}

function write(harness: CoreHarness, id: string | undefined, ...lines: string[]): void {
  for (const line of lines) {
    harness.clock += 1_000;
    harness.engine.controls.writeLog(id ?? '', line);
  }
}

test('logs of a single replica are unchanged except for NUL characters', async () => {
  using harness = CoreHarness.withApp();
  const [id] = await running(harness);
  write(harness, id, 'one', '\u001b[31mred\u001b[0m', 'a\u0000b');

  assert.equal(await read(harness), 'listening\none\n\u001b[31mred\u001b[0m\na\uFFFDb\n');
});

test('logs of several replicas are merged by time with replica names', async () => {
  using harness = CoreHarness.withApp();
  const [a, b] = await running(harness, 2);
  write(harness, a, 'one');
  write(harness, b, 'two');
  write(harness, a, 'three');

  assert.equal(await read(harness, { tail: '3' }), '1-1 | one\n1-2 | two\n1-1 | three\n');
});

test('the tail counts the lines of all replicas together', async () => {
  using harness = CoreHarness.withApp();
  const [a, b] = await running(harness, 2);
  write(harness, a, 'one', 'two');
  write(harness, b, 'three', 'four');

  assert.equal(await read(harness, { tail: '3' }), '1-1 | two\n1-2 | three\n1-2 | four\n');
  assert.equal(await read(harness, { limit: 1 }), 'four\n');
  assert.equal(await read(harness, { tail: '0' }), '');
});

test('the options “since” and “until” limit the log lines by time', async () => {
  using harness = CoreHarness.withApp();
  const [id] = await running(harness);
  write(harness, id, 'early', 'middle', 'late');
  await kept(harness);
  const { lines } = await findLogs(harness.core, harness.admin, harness.app(), { format: 'json' });
  const { at } = lines.find(({ line }) => line === 'middle') ?? { at: '' };

  assert.equal(await read(harness, { since: at }), 'middle\nlate\n');
  assert.equal(await read(harness, { until: at }), 'listening\nearly\n');
});

test('a log response above the size limit omits the earliest lines with a notice', async () => {
  using harness = CoreHarness.withApp();
  const [id] = await running(harness);
  const line = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 200; n++) harness.engine.controls.writeLog(id ?? '', line);

  const [notice, ...lines] = (await read(harness, { tail: 'all' })).trimEnd().split('\n');

  assert.match(notice ?? '', /^\[earlier lines are omitted/);
  assert.equal(lines.length, 159);
  assert.doesNotMatch(await read(harness, { tail: '10' }), /left out/);
});

test('a tail above the maximum is limited, with a notice about earlier lines', async () => {
  using harness = CoreHarness.withApp();
  const [id] = await running(harness);
  for (let n = 0; n < 10_001; n++) harness.engine.controls.writeLog(id ?? '', `${n}`);

  const lines = (await read(harness, { tail: '20000' })).trimEnd().split('\n');

  assert.equal(lines.length, 10_001);
  assert.match(lines[0] ?? '', /last 10000/);
  assert.equal(lines[1], '1');
});

test('an app that never ran has no log lines', async () => {
  using harness = CoreHarness.withApp();

  assert.equal(await read(harness), '');
});

test('stored logs are readable while the engine is unavailable', async () => {
  using harness = CoreHarness.withApp();
  const [id] = await running(harness);
  write(harness, id, 'before');
  await kept(harness);
  harness.engine.controls.setAvailable(false);

  assert.equal(await readLogs(harness.core, harness.admin, harness.app(), { format: 'text' }), 'listening\nbefore\n');
});
