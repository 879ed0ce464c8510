import type { LogLine, LogQuery } from '../engine.ts';
import type { DockerContext } from './context.ts';
import { isStatus } from './errors.ts';
import type { Frame } from './frames.ts';
import { decodeFrames } from './frames.ts';
import type { DockerInstances } from './instances.ts';

/** A line is given in pieces of this size at the latest: a program that never ends a line must not fill our memory. */
const MAX_LINE_BYTES = 256 * 1024;

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;

/** Long enough for any timestamp the engine writes. */
const TIMESTAMP_BYTES = 40;

/** The container's log, then new lines while it is followed, over its stops and starts until it is removed. */
export async function* readLogs(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  query: LogQuery,
): AsyncGenerator<LogLine> {
  if ((await instances.findFacts(id, query.signal)) === null) return;
  let from: { tail: LogQuery['tail']; since: string | undefined } = { tail: query.tail, since: seconds(query.since) };
  for (;;) {
    const last = yield* readOnce(context, id, query, from);
    if (query.follow !== true || query.signal?.aborted) return;
    // The engine's follow ends with the container's run. What it writes next comes after the last stamp seen.
    if (!(await startedAgain(context, instances, id, query.signal))) return;
    from = { tail: 'all', since: last ?? from.since };
  }
}

/** @returns the engine's stamp right after the last line, in its own form: it is finer than a Date */
async function* readOnce(
  context: DockerContext,
  id: string,
  query: LogQuery,
  from: { tail: LogQuery['tail']; since: string | undefined },
): AsyncGenerator<LogLine, string | undefined> {
  let last: string | undefined;
  try {
    const stream = await context.client.stream({
      doing: 'read logs',
      path: `/containers/${id}/logs`,
      query: {
        ...{ stdout: true, stderr: true, timestamps: true, tail: from.tail, follow: query.follow ?? false },
        ...(from.since === undefined ? {} : { since: from.since }),
        ...(query.until === undefined ? {} : { until: seconds(query.until) ?? '' }),
      },
      signal: query.signal,
    });
    for await (const { stamp, line } of joinLines(decodeFrames(stream))) {
      last = stamp === null ? last : after(stamp);
      yield line;
    }
  } catch (error) {
    // An abort is how a reader ends a follow; a container that is gone has no lines.
    if (!query.signal?.aborted && !isStatus(error, 404, 409)) throw error;
  }
  return last;
}

interface StampedLine {
  /** As the engine wrote it; null when it wrote none. */
  stamp: string | null;
  line: LogLine;
}

/** The engine cuts lines at 16 KiB: pieces without a line end are put together again, up to a bound. */
export async function* joinLines(frames: AsyncIterable<Frame>): AsyncGenerator<StampedLine> {
  const open = new Map<Frame['stream'], { stamp: string | null; pieces: Buffer[]; bytes: number }>();
  for await (const { stream, payload } of frames) {
    const { stamp, rest } = splitStamp(payload);
    const line = open.get(stream) ?? { stamp, pieces: [], bytes: 0 };
    line.pieces.push(rest);
    line.bytes += rest.length;
    if (rest.at(-1) === 0x0a || line.bytes >= MAX_LINE_BYTES) {
      open.delete(stream);
      yield toLine(stream, line);
    } else open.set(stream, line);
  }
  for (const [stream, line] of open) yield toLine(stream, line);
}

function splitStamp(payload: Buffer): { stamp: string | null; rest: Buffer } {
  const match = TIMESTAMP.exec(payload.subarray(0, TIMESTAMP_BYTES).toString('latin1'));
  return { stamp: match?.[1] ?? null, rest: payload.subarray(match?.[0].length ?? 0) };
}

function toLine(stream: Frame['stream'], line: { stamp: string | null; pieces: Buffer[] }): StampedLine {
  // Bytes that are no text become the replacement character; a NUL stays, whoever prints it decides.
  const text = Buffer.concat(line.pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  return {
    stamp: line.stamp,
    line: { at: line.stamp === null ? new Date() : new Date(line.stamp), stream, line: text },
  };
}

/** Resolves with true when the container runs (again), with false when it is gone or the signal aborts. */
async function startedAgain(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const filters = { type: ['container'], container: [id], event: ['start', 'destroy'] };
    // From a moment before the look at its state on: a start in between is then in the stream.
    const query = { filters, since: seconds(new Date()) ?? '' };
    const stream = await context.client.stream({ doing: 'watch events', path: '/events', query, signal });
    const state = (await instances.inspect(id, signal))?.State;
    if (state === undefined || state.Running) {
      stream.destroy();
      return state !== undefined;
    }
    for await (const chunk of stream) return (chunk as Buffer).includes('"start"');
    return false;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

/** Seconds since 1970 with a fraction, as the engine reads times. */
function seconds(date: Date | undefined): string | undefined {
  return date === undefined ? undefined : (date.getTime() / 1000).toFixed(3);
}

/** The moment a nanosecond after a stamp, in seconds since 1970. */
function after(stamp: string): string {
  const nanoseconds = Number((/\.(\d+)/.exec(stamp)?.[1] ?? '0').padEnd(9, '0').slice(0, 9)) + 1;
  const whole = Math.floor(new Date(stamp).getTime() / 1000);
  return `${whole}.${String(nanoseconds).padStart(9, '0')}`;
}
