import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach, beforeEach, describe } from 'node:test';
import { createLogger } from '@davit/service';
import fc from 'fast-check';
import type { LogBatch } from '../../src/adapters/engine/logs.ts';
import { AppLog, type Bounds } from '../../src/resources/logs/app-log.ts';
import type { KeptLine, LogSearch } from '../../src/resources/logs/logs.ts';
import { parseMoment } from '../../src/resources/logs/moment.ts';
import { readFrom, searchLog } from '../../src/resources/logs/search.ts';

const MIB = 1024 * 1024;
const EVERYTHING = { limit: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
const ONE = { replica: '1-1', deployment: 1 };
const TWO = { replica: '2-1', deployment: 2 };
const signal = new AbortController().signal;
const log = createLogger({ level: 'error', destination: { write: () => true } });

let folder: string;
let bounds: Bounds;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-test-log-'));
  bounds = { bytes: 64 * MIB, days: 30 };
});
afterEach(async () => {
  for (const kept of opened) await kept.close();
  opened = [];
  await rm(folder, { recursive: true, force: true });
});

let opened: AppLog[] = [];

async function open(): Promise<AppLog> {
  const kept = await AppLog.open(join(folder, '1'), () => bounds);
  opened.push(kept);
  return kept;
}

/** Returns lines with one second between them, the first at `at` seconds after 1970. */
function batch(lines: string[], at = 1_000): LogBatch {
  const count = lines.length;
  return {
    count,
    seconds: Uint32Array.from(lines, (_, n) => at + n),
    nanos: new Uint32Array(count),
    stderr: Uint8Array.from(lines, (line) => (line.startsWith('!') ? 1 : 0)),
    text: Buffer.from(lines.map((line) => `${line}\n`).join('')),
    position: `${at + count}`,
  };
}

async function found(kept: AppLog, search: Partial<LogSearch> = {}): Promise<KeptLine[]> {
  const { lines } = await searchLog(await kept.snapshot(), { ...EVERYTHING, ...search }, signal, log);
  return lines;
}

async function texts(kept: AppLog, search: Partial<LogSearch> = {}): Promise<string[]> {
  return (await found(kept, search)).map(({ line }) => line);
}

/** Writes lines that hardly compress, more than one block each time. */
async function fill(kept: AppLog, times: number): Promise<string[]> {
  const written: string[] = [];
  for (let n = 0; n < times; n += 1) {
    const lines = Array.from({ length: 300 }, (_, i) => `${n}.${i} ${randomBytes(750).toString('base64')}`);
    written.push(...lines);
    kept.add(ONE, 'key', batch(lines, 1_000 + n * 300));
    await kept.flush();
  }
  return written;
}

/** Returns the files with a suffix, the newest last. */
async function files(suffix: string): Promise<string[]> {
  const names = (await readdir(join(folder, '1'))).filter((name) => name.endsWith(suffix)).sort();
  return names.map((name) => join(folder, '1', name));
}

async function tearLastBlock(): Promise<void> {
  const [newest = ''] = (await files('.log')).slice(-1);
  await truncate(newest, (await stat(newest)).size - 100);
}

describe('the log of an app', () => {
  test('returns lines before writing, after writing and after reopening', async () => {
    const kept = await open();
    kept.add(ONE, 'key', batch(['one', '!two']));
    assert.deepEqual(await texts(kept), ['one', '!two']);
    await kept.close();

    const again = await open();

    const [first, second] = await found(again);
    assert.deepEqual(first, { ...ONE, stream: 'stdout', at: '1970-01-01T00:16:40.000000000Z', line: 'one' });
    assert.equal(second?.stream, 'stderr');
    assert.equal(again.position('key'), '1002');
    assert.equal(again.last, 2);
    await again.close();
  });

  test('creates no files before the first line', async () => {
    const kept = await open();
    await kept.flush();
    await kept.close();

    assert.deepEqual(await readdir(folder), []);
  });

  test('creates files with access for the owner only', async () => {
    const kept = await open();
    await fill(kept, 1);
    await kept.close();

    assert.equal((await stat(join(folder, '1'))).mode & 0o777, 0o700);
    for (const file of [...(await files('.log')), ...(await files('.idx')), join(folder, '1', 'tail')])
      assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  });

  test('returns every line of many blocks before and after reopening', async () => {
    const kept = await open();
    const written = await fill(kept, 12);
    assert.deepEqual(await texts(kept), written);
    await kept.close();

    const again = await open();

    assert.deepEqual(await texts(again), written);
    assert.equal(again.last, written.length);
    assert.equal(again.position('key'), '4600');
    await again.close();
  });

  test('shows invalid UTF-8 with a replacement character', async () => {
    const kept = await open();
    kept.add(ONE, 'key', { ...batch(['x']), text: Buffer.from([0xff, 0x41, 0x0a]) });

    assert.deepEqual(await texts(kept, { q: 'a' }), ['\uFFFDA']);
    await kept.close();
  });
});

describe('the log of an app after a crash', () => {
  test('drops a torn end of the tail and accepts new lines', async () => {
    const kept = await open();
    kept.add(ONE, 'key', batch(['one'], 10));
    await kept.flush();
    kept.add(ONE, 'key', batch(['two'], 20));
    await kept.close();
    const tail = join(folder, '1', 'tail');
    await truncate(tail, (await stat(tail)).size - 3);

    const again = await open();
    assert.equal(again.position('key'), '11');
    again.add(ONE, 'key', batch(['two again'], 20));
    await again.close();

    assert.deepEqual(await texts(await open()), ['one', 'two again']);
  });

  test('keeps all lines before any damage in the tail', async () => {
    const kept = await open();
    for (let n = 0; n < 10; n += 1) {
      kept.add(ONE, 'key', batch([`line ${n}`], n));
      await kept.flush();
    }
    await kept.close();
    const tail = join(folder, '1', 'tail');
    const whole = await readFile(tail);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        await writeFile(tail, damaged);

        const again = await open();

        const lines = await texts(again);
        await again.close();
        assert.deepEqual(
          lines,
          Array.from(lines, (_, n) => `line ${n}`),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('rebuilds a torn last block with all its lines', async () => {
    const kept = await open();
    const written = await fill(kept, 3);
    await kept.close();
    await tearLastBlock();

    const again = await open();

    assert.deepEqual(await texts(again), written);
    await again.close();
  });

  test('drops a torn last block with all later lines if the block cannot be rebuilt', async () => {
    const kept = await open();
    const written = await fill(kept, 3);
    kept.add(ONE, 'key', batch(['after it'], 5_000));
    await kept.close();
    await tearLastBlock();

    const again = await open();

    assert.deepEqual(await texts(again), written.slice(0, 600));
    assert.equal(again.position('key'), '1600');
    await fill(again, 1);
    assert.equal((await texts(again)).length, 900);
    await again.close();
  });

  test('drops a block without an index entry', async () => {
    const kept = await open();
    await fill(kept, 2);
    await kept.close();
    const [log = ''] = await files('.log');
    const { size } = await stat(log);
    await appendFile(log, randomBytes(1_000));

    const again = await open();

    assert.equal((await texts(again)).length, 600);
    assert.equal((await stat(log)).size, size);
    await again.close();
  });

  test('does not count a tail twice if its block already exists', async () => {
    const kept = await open();
    kept.add(ONE, 'key', batch(['small'], 1));
    await kept.flush();
    const before = await readFile(join(folder, '1', 'tail'));
    const written = await fill(kept, 1);
    await kept.close();
    await writeFile(join(folder, '1', 'tail'), before);

    const again = await open();

    assert.deepEqual(await texts(again), ['small', ...written]);
    await again.close();
  });
});

describe('log retention', () => {
  test('deletes the oldest lines above the size limit', async () => {
    bounds.bytes = MIB;
    const kept = await open();

    const written = await fill(kept, 20);

    const lines = await texts(kept);
    assert.deepEqual(lines, written.slice(-lines.length));
    assert.ok(lines.length >= 300 && lines.length < 3_000, `${lines.length} lines`);
    const sizes = await Promise.all((await files('')).map(async (file) => (await stat(file)).size));
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= MIB);
    await kept.close();
  });

  test('deletes lines that are older than the retention but keeps the read position', async () => {
    bounds.bytes = MIB;
    const kept = await open();
    await fill(kept, 3);

    await kept.prune(Date.now() + 40 * 86_400_000);

    assert.ok((await texts(kept)).length < 900);
    assert.notEqual(kept.position('key'), null);
    await kept.close();
  });

  test('deletes all files of a destroyed log and ignores later lines', async () => {
    const kept = await open();
    await fill(kept, 1);

    await kept.destroy();
    kept.add(ONE, 'key', batch(['late']));
    await kept.flush();

    assert.deepEqual(await readdir(folder), []);
  });
});

describe('a log on an unwritable disk', () => {
  test('keeps new lines, reports the problem and writes the lines at the next attempt', async () => {
    const kept = await open();
    await writeFile(join(folder, '1'), 'in the way');
    kept.add(ONE, 'key', batch(['one']));
    await kept.flush();
    assert.match(kept.problem?.message ?? '', /EEXIST|ENOTDIR/);
    assert.deepEqual(await texts(kept), ['one']);

    await rm(join(folder, '1'));
    await kept.flush();

    assert.equal(kept.problem, null);
    await kept.close();
    assert.deepEqual(await texts(await open()), ['one']);
  });
});

describe('log search', () => {
  test('merges the lines of replicas in time order', async () => {
    const kept = await open();
    kept.add(ONE, 'a', batch(['a1', 'a2', 'a3'], 10));
    kept.add(TWO, 'b', batch(['b0'], 9));
    kept.add(TWO, 'b', batch(['b1', 'b2'], 11));
    await kept.flush();

    assert.deepEqual(await texts(kept), ['b0', 'a1', 'a2', 'b1', 'a3', 'b2']);
    assert.deepEqual(await texts(kept, { limit: 2 }), ['a3', 'b2']);
    await kept.close();
  });

  test('filters by text, time, replica, deployment and stream', async () => {
    const kept = await open();
    kept.add(ONE, 'a', batch(['GET /one', '!oops', 'get /two'], 10));
    kept.add(TWO, 'b', batch(['GET /three'], 20));

    assert.deepEqual(await texts(kept, { q: 'get' }), ['GET /one', 'get /two', 'GET /three']);
    assert.deepEqual(await texts(kept, { q: 'GET', limit: 1 }), ['GET /three']);
    assert.deepEqual(await texts(kept, { replica: '1-1', q: 'two' }), ['get /two']);
    assert.deepEqual(await texts(kept, { deployment: 2 }), ['GET /three']);
    assert.deepEqual(await texts(kept, { stream: 'stderr' }), ['!oops']);
    const [since, until] = ['1970-01-01T00:00:11Z', '1970-01-01T00:00:12Z'].map(parseMoment);
    assert.deepEqual(await texts(kept, { since, until }), ['!oops']);
    await kept.close();
  });

  test('finds the same lines in many blocks as a scan of every line', async () => {
    const kept = await open();
    const written = await fill(kept, 8);
    for (const q of ['7.299 ', '3.1', written[1_234]?.slice(10, 30) ?? '', 'not there at all']) {
      const expected = written.filter((line) => line.toLowerCase().includes(q.toLowerCase()));
      assert.deepEqual(await texts(kept, { q }), expected, q);
    }
    await kept.close();
  });

  test('reports whether more lines may exist', async () => {
    const kept = await open();
    kept.add(ONE, 'a', batch(['one', 'two']));
    const search = async (limit: number) => searchLog(await kept.snapshot(), { ...EVERYTHING, limit }, signal, log);

    assert.equal((await search(1)).more, true);
    assert.equal((await search(2)).more, false);
    await kept.close();
  });

  test('skips a damaged block and returns the other lines', async () => {
    const kept = await open();
    const written = await fill(kept, 3);
    await kept.close();
    const [first = ''] = await files('.log');
    const bytes = await readFile(first);
    bytes[50] = (bytes[50] ?? 0) ^ 0xff;
    await writeFile(first, bytes);

    const again = await open();

    assert.deepEqual(await texts(again), written.slice(300));
    await again.close();
  });
});

test('reads log lines from a line number in the order of arrival', async () => {
  const kept = await open();
  const written = await fill(kept, 3);
  kept.add(TWO, 'b', batch(['early'], 1));
  const numbers: number[] = [];
  for await (const { first, count } of readFrom(await kept.snapshot(), 500, log)) numbers.push(first, count);

  assert.equal(numbers.at(0), 301);
  assert.equal(numbers.at(-2), written.length + 1);
  await kept.close();
});

describe('a flood of log lines', () => {
  test('is stored without a separate frame for each short line', async () => {
    const kept = await open();
    for (let n = 0; n < 10_000; n += 1) kept.add(n % 2 === 0 ? ONE : TWO, n % 2 === 0 ? 'one' : 'two', batch(['']));

    assert.ok(!kept.isFull);
    await kept.flush();
    const { size } = await stat(join(folder, '1', 'tail'));
    assert.ok(size < 256 * 1024, `${size} bytes`);
    assert.equal((await texts(kept)).length, 10_000);
  });

  test('fills the write buffer after a limited number of empty lines', async () => {
    const kept = await open();
    let lines = 0;
    for (; !kept.isFull && lines < 1e6; lines += 1_000) kept.add(ONE, 'one', batch(Array(1_000).fill('')));

    assert.ok(lines <= 30_000, `${lines} lines`);
    await kept.flush();
    assert.ok(!kept.isFull);
    assert.equal((await texts(kept)).length, lines);
  });

  test('uses a limited amount of buffer memory', async () => {
    const kept = await open();
    const lines = Array.from({ length: 2_000 }, (_, n) => `${n} ${'x'.repeat(100)}`);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let n = 0; n < 100; n += 1) {
      kept.add(ONE, 'one', batch(lines));
      await kept.flush();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }

    assert.ok(most < 8 * MIB, `${(most / MIB).toFixed(1)} MiB`);
  });
});
