import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach, beforeEach, describe } from 'node:test';
import { createLogger } from '@davit/service';
import { until } from '@davit/testkit/waiting';
import { keepingLogs } from '../../src/resources/logs/before-removal.ts';
import { KeptLogs } from '../../src/resources/logs/kept-logs.ts';
import type { Followed, LogFollowQuery } from '../../src/resources/logs/logs.ts';
import { FollowerTooSlow } from '../../src/streams/bounded-queue.ts';
import { CoreHarness } from '../support/core-harness.ts';

const EVERYTHING = { limit: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
const FROM_NOW = { filter: {}, tail: 0, after: null };

let harness: CoreHarness;
let folder: string;
let logs: KeptLogs;
let stopped: AbortController;
beforeEach(async () => {
  harness = CoreHarness.withApp();
  folder = await mkdtemp(join(tmpdir(), 'davit-test-kept-'));
  stopped = new AbortController();
  logs = open();
});
afterEach(async () => {
  stopped.abort();
  await logs[Symbol.asyncDispose]();
  harness[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

function open(): KeptLogs {
  const { store, settings } = harness.core;
  const log = createLogger({ level: 'error' });
  return new KeptLogs({ folder, store, engine: harness.engine, settings, now: () => harness.clock, log });
}

/** Starts a replica of a live release and returns the id of its container. */
async function running(): Promise<string> {
  const [id = ''] = await harness.runContainers(harness.release());
  await harness.engine.start(id);
  return id;
}

async function texts(): Promise<string[]> {
  const { lines } = await logs.search(harness.app().id, EVERYTHING, stopped.signal);
  return lines.map(({ line }) => line);
}

/** Collects everything that a follower receives from now on. */
function read(following: LogFollowQuery): string[][] {
  const got: string[][] = [];
  void (async () => {
    for await (const message of logs.follow(harness.app().id, following, stopped.signal)) {
      if (message.kind === 'lines') got.push(message.lines.map(({ line }) => line));
    }
  })();
  return got;
}

async function has(line: string): Promise<void> {
  await until(`“${line}” is kept`, async () => (await texts()).includes(line));
}

describe('log collection from containers', () => {
  test('continues after a restart without lost or duplicate lines', async () => {
    const id = await running();
    const written = ['listening'];
    for (let process = 0; process < 5; process += 1) {
      logs.nudge();
      for (let n = 0; n < 50; n += 1) {
        written.push(`${process}.${n}`);
        harness.engine.controls.writeLog(id, `${process}.${n}`);
        if (n % 10 === 0) await new Promise(setImmediate);
      }
      await logs[Symbol.asyncDispose]();
      logs = open();
    }
    logs.nudge();

    await has('4.49');
    assert.deepEqual(await texts(), written);
  });

  test('continues after a stop and a new start of a container', async () => {
    const id = await running();
    logs.nudge();
    await has('listening');
    await harness.engine.stop(id, { signal: 'SIGTERM', graceS: 0 });
    await harness.engine.start(id);
    harness.engine.controls.writeLog(id, 'again');

    await until('the second run is read', async () => {
      logs.nudge(id);
      return (await texts()).includes('again');
    });
    assert.deepEqual(await texts(), ['listening', 'listening', 'again']);
  });

  test('reads new lines after an event at any moment of an ending read', async () => {
    const id = await running();
    await harness.engine.stop(id, { signal: 'SIGTERM', graceS: 0 });
    logs.nudge();
    await has('listening');

    for (let turns = 0; turns < 60; turns += 1) {
      logs.nudge(id);
      for (let turn = 0; turn < turns; turn += 1) await null;
      harness.engine.controls.writeLog(id, `after ${turns}`);
      logs.nudge(id);
      await has(`after ${turns}`);
    }
  });

  test('reads the lines of a stopped container', async () => {
    const id = await running();
    harness.engine.controls.writeLog(id, 'last words');
    await harness.engine.stop(id, { signal: 'SIGTERM', graceS: 0 });

    logs.nudge();

    await has('last words');
  });

  test('stores all lines before a container is removed', async () => {
    const id = await running();
    harness.engine.controls.writeLog(id, 'last words');

    await keepingLogs(harness.engine, logs).remove(id);

    assert.deepEqual(await texts(), ['listening', 'last words']);
    assert.deepEqual(harness.engine.controls.containers(), []);
  });

  test('does not block the removal of a container if the engine refuses the stop', async () => {
    const id = await running();
    harness.engine.controls.fail('stop');

    await keepingLogs(harness.engine, logs).remove(id);

    assert.deepEqual(harness.engine.controls.containers(), []);
  });

  test('reports an unwritable disk and resumes afterwards without lost lines', async () => {
    const id = await running();
    assert.deepEqual(await texts(), []);
    await writeFile(join(folder, String(harness.app().id)), 'in the way');
    logs.nudge();
    await until('it is noticed', async () => {
      await texts();
      return logs.problem() !== null;
    });

    assert.match(logs.problem() ?? '', /^The logs of apps cannot be stored \(.+\)\. .+\.$/);
    await rm(join(folder, String(harness.app().id)));
    await logs[Symbol.asyncDispose]();
    logs = open();
    harness.engine.controls.writeLog(id, 'afterwards');
    logs.nudge();
    await has('afterwards');
    assert.deepEqual(await texts(), ['listening', 'afterwards']);
    assert.equal(logs.problem(), null);
  });
});

describe('a log follower', () => {
  test('receives lines written during the replay once and in order', async () => {
    const id = await running();
    logs.nudge();
    for (let n = 0; n < 2_000; n += 1) harness.engine.controls.writeLog(id, `${n}`);
    await has('1999');
    const got: string[] = [];
    const reading = (async () => {
      for await (const followed of logs.follow(harness.app().id, { filter: {}, tail: 0, after: 1 }, stopped.signal)) {
        if (followed.kind === 'lines') got.push(...followed.lines.map(({ line }) => line));
      }
    })();
    for (let n = 2_000; n < 4_000; n += 1) {
      harness.engine.controls.writeLog(id, `${n}`);
      if (n % 100 === 0) await new Promise(setImmediate);
    }
    await until('all have come', async () => got.length >= 4_000);
    stopped.abort();
    await reading;

    assert.deepEqual(
      got,
      Array.from({ length: 4_000 }, (_, n) => `${n}`),
    );
  });

  test('receives lines written during the read of the last lines after these lines', async () => {
    const id = await running();
    logs.nudge();
    await has('listening');
    // The next read first writes the waiting lines, over several turns of the event loop.
    harness.engine.controls.writeLog(id, 'before');
    await new Promise(setImmediate);
    const readers = [0, 1].map((tail) => read({ ...FROM_NOW, tail }));
    await new Promise(setImmediate);
    harness.engine.controls.writeLog(id, 'meanwhile');

    await until('it has come to both', async () => readers.every((got) => got.flat().includes('meanwhile')));

    assert.deepEqual(readers, [
      [[], ['meanwhile']],
      [['before'], ['meanwhile']],
    ]);
  });

  test('resumes after lines not yet written to disk without duplicates', async () => {
    assert.deepEqual(await texts(), []);
    await writeFile(join(folder, String(harness.app().id)), 'in the way');
    await running();
    logs.nudge();
    await has('listening');
    const read = async (after: number | null) => {
      const { value } = await logs.follow(harness.app().id, { filter: {}, tail: 10, after }, stopped.signal).next();
      return value;
    };
    const received = await read(null);
    assert.ok(received?.kind === 'lines');

    const next = read(received.last);
    stopped.abort();

    // No lines follow, so the reader must not get the last lines again.
    assert.equal(await next, undefined);
  });

  test('fails with FollowerTooSlow if the reader does not read', async () => {
    const id = await running();
    logs.nudge();
    await has('listening');
    const following = logs.follow(harness.app().id, FROM_NOW, stopped.signal)[Symbol.asyncIterator]();
    await following.next();
    const line = 'x'.repeat(100_000);
    const next = following.next();
    for (let n = 1; n <= 90; n += 1) {
      harness.engine.controls.writeLog(id, line);
      if (n % 30 === 0) await until('they are kept', async () => (await texts()).length === n + 1);
    }
    await next;

    await assert.rejects(async () => {
      for (let last: IteratorResult<Followed> = await following.next(); !last.done; ) last = await following.next();
    }, FollowerTooSlow);
  });

  test('ends when the log service closes', async () => {
    await running();
    const following = logs.follow(harness.app().id, FROM_NOW, stopped.signal)[Symbol.asyncIterator]();
    await following.next();
    const next = following.next();

    await logs[Symbol.asyncDispose]();

    assert.equal((await next).done, true);
  });
});

test('deletes the logs of deleted apps and keeps other files', async () => {
  await running();
  logs.nudge();
  await has('listening');
  await mkdir(join(folder, '999'));
  await writeFile(join(folder, 'notes'), 'mine');

  await logs.prune();

  assert.deepEqual((await readdir(folder)).sort(), [String(harness.app().id), 'notes'].sort());
});
