import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import fc from 'fast-check';
import { freeBuffers } from '../../free-buffers.ts';
import type { LogBatch } from '../../logs.ts';
import { LogParser } from './parser.ts';

const STDOUT = 1;
const STDERR = 2;

/** Returns a piece of output in the frame format of the engine. */
function frame(stream: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

/** Returns the timestamp of the nth nanosecond after a fixed time. */
function stamp(n: number): string {
  return `2026-11-21T14:00:${String(Math.floor(n / 1e9)).padStart(2, '0')}.${String(n % 1e9).padStart(9, '0')}Z`;
}

function lines(batches: (LogBatch | null)[]): string[] {
  return batches.flatMap((batch) => batch?.text.toString().split('\n').slice(0, -1) ?? []);
}

/** Returns all lines of a log after a position. The log is passed to the parser in chunks of `size` bytes. */
function read(log: Buffer, after: string | null, size = log.length): { lines: string[]; batches: LogBatch[] } {
  const parser = new LogParser(after);
  const batches: (LogBatch | null)[] = [];
  for (let at = 0; at < log.length; at += size) batches.push(parser.push(log.subarray(at, at + size)));
  batches.push(parser.end());
  return { lines: lines(batches), batches: batches.filter((batch) => batch !== null) };
}

const MIXED = Buffer.concat([
  frame(STDOUT, `${stamp(1)} one\n`),
  frame(STDERR, `${stamp(2)} two\r\n`),
  frame(STDOUT, `${stamp(1_500_000_000)} begun `),
  frame(STDERR, `${stamp(1_600_000_000)} meanwhile\n`),
  frame(STDOUT, `${stamp(1_500_000_000)} ended\n`),
  frame(STDOUT, `${stamp(1_700_000_000)} \n`),
]);

describe('LogParser', () => {
  test('returns the same lines regardless of how the log is split into chunks', () => {
    for (const size of [1, 3, 7, MIXED.length]) {
      assert.deepEqual(read(MIXED, null, size).lines, ['one', 'two', 'meanwhile', 'begun ended', '']);
    }
  });

  test('keeps the timestamp in nanoseconds and the stream of each line', () => {
    const [batch] = read(MIXED, null).batches;

    assert.deepEqual([...(batch?.nanos ?? [])], [1, 2, 600_000_000, 500_000_000, 700_000_000]);
    const second = Date.parse('2026-11-21T14:00:00Z') / 1000;
    assert.deepEqual(
      [...(batch?.seconds ?? [])],
      [0, 0, 1, 1, 1].map((s) => second + s),
    );
    assert.deepEqual([...(batch?.stderr ?? [])], [0, 1, 1, 0, 0]);
  });

  test('returns an unfinished line when the log ends', () => {
    assert.deepEqual(read(frame(STDOUT, `${stamp(1)} unfinished`), null).lines, ['unfinished']);
  });

  test('parses timestamps in other formats and lines without a timestamp', () => {
    const log = Buffer.concat([
      frame(STDOUT, '2026-11-21T15:00:00+01:00 short\n'),
      frame(STDOUT, '2026-11-21T15:00:00.25+01:00 zoned\n'),
    ]);
    const { lines: found, batches } = read(log, null);

    assert.deepEqual(found, ['short', 'zoned']);
    assert.deepEqual([...(batches[0]?.nanos ?? [])], [0, 250_000_000]);
    const without = Buffer.concat([frame(STDOUT, 'no stamp\n'), frame(STDOUT, 'no stamp\n')]);
    assert.deepEqual(read(without, null).lines, ['no stamp', 'no stamp']);
  });

  test('splits a very long line without losing text', () => {
    const piece = frame(STDOUT, `${stamp(1)} ${'x'.repeat(16 * 1024)}`);
    const log = Buffer.concat([...Array(20).fill(piece), frame(STDOUT, `${stamp(1)} end\n`)]);

    const { lines: found } = read(log, null);

    assert.equal(found.length, 2);
    assert.equal(found.join(''), `${'x'.repeat(20 * 16 * 1024)}end`);
  });
});

describe('LogParser when resuming a log', () => {
  test('loses no line and repeats no line, regardless of the position', () => {
    const pieces = fc.array(
      fc.record({
        stream: fc.constantFrom(STDOUT, STDERR),
        ends: fc.boolean(),
        gap: fc.nat(2_000_000_000),
        /** Time in nanoseconds between the timestamp and the write of a line. */
        late: fc.nat(1_000),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, fc.nat(), fc.nat(), (script, left, size) => {
        const log = logOf(script);
        const whole = read(log, null).lines;
        const first = new LogParser(null);
        const cut = left % (log.length + 1);
        const before = [first.push(log.subarray(0, cut))];
        const { position } = before[0] ?? { position: null };

        const after = read(since(log, position), position, 1 + (size % 50)).lines;

        assert.deepEqual([...lines(before), ...after].toSorted(), whole.toSorted());
      }),
      { numRuns: 300 },
    );
  });

  test('ignores lines that the engine sends again', () => {
    const [one, two, three] = [1, 2, 3].map((n) => frame(STDOUT, `${stamp(n)} ${n}\n`));
    const log = [one, two, one, two, two, three].filter((bytes) => bytes !== undefined);

    assert.deepEqual(read(Buffer.concat(log), null).lines, ['1', '2', '3']);
  });
});

interface Piece {
  stream: number;
  ends: boolean;
  gap: number;
  late: number;
}

/**
 * Returns a log in the format of the engine. Timestamps increase within a stream, and all pieces of a line have the
 * same timestamp.
 */
function logOf(script: Piece[]): Buffer {
  const open = new Map<number, number>();
  const last = new Map<number, number>();
  let now = 0;
  return Buffer.concat(
    script.map(({ stream, ends, gap, late }, n) => {
      now += gap % 1_000_000_000;
      const at = open.get(stream) ?? Math.max(now - late, (last.get(stream) ?? 0) + 1);
      last.set(stream, at);
      if (ends) open.delete(stream);
      else open.set(stream, at);
      return frame(stream, `${stamp(at)} ${stream}.${n}${ends ? '\n' : ' '}`);
    }),
  );
}

/** Returns the response of an engine to a request for the log since a position. */
function since(log: Buffer, position: string | null): Buffer {
  if (position === null) return log;
  const [seconds = 0, nanos = 0] = (position.split('/')[0] ?? '').split('.').map(Number);
  const from = new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, `.${String(nanos).padStart(9, '0')}Z`);
  const frames: Buffer[] = [];
  for (let at = 0; at < log.length; ) {
    const end = at + 8 + log.readUInt32BE(at + 4);
    if (log.toString('latin1', at + 8, at + 38) >= from) frames.push(log.subarray(at, end));
    at = end;
  }
  return Buffer.concat(frames);
}

test('LogParser keeps buffer memory below 2 MiB while parsing a large log', () => {
  const log = Buffer.concat(
    Array.from({ length: 100 }, (_, n) => [
      frame(STDOUT, `${stamp(n)} ${'x'.repeat(16_384)}`),
      frame(STDOUT, `${stamp(n)} ${'x'.repeat(4_000)}\n`),
    ]).flat(),
  );
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let times = 0; times < 20; times += 1) {
    const parser = new LogParser(null);
    for (let at = 0; at < log.length; at += 60_000) {
      const batch = parser.push(log.subarray(at, at + 60_000));
      if (batch !== null) freeBuffers([batch.text, batch.seconds, batch.nanos, batch.stderr]);
    }
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(most < 2 * 1024 * 1024, `${(most / 1024 / 1024).toFixed(1)} MiB`);
});
