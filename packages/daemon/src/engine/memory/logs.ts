import type { LogBatch, LogBatchQuery, LogLine, LogQuery } from '../engine.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer, MemoryWorld } from './world.ts';

/** Lines of a simulated container, then new ones while it is followed. */
export async function* readLogs(
  world: MemoryWorld,
  bus: EventBus,
  id: string,
  query: LogQuery,
): AsyncGenerator<LogLine> {
  const container = world.containers.get(id);
  if (container === undefined) return;
  let next = container.logs.length;
  const kept = container.logs.filter((line) => inRange(line, query));
  yield* query.tail === 'all' ? kept : kept.slice(Math.max(0, kept.length - query.tail));
  if (query.follow !== true) return;
  while (query.signal?.aborted !== true) {
    for (const line of container.logs.slice(next)) if (inRange(line, query)) yield line;
    next = container.logs.length;
    if (!world.containers.has(id)) return;
    await grown(container, next, bus, query.signal ?? new AbortController().signal);
  }
}

async function grown(container: MemoryContainer, length: number, bus: EventBus, signal: AbortSignal): Promise<void> {
  if (container.logs.length > length) return;
  // An abort ends a follow as its end does: the reader asked for it.
  await bus.next(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function inRange(line: LogLine, query: LogQuery): boolean {
  return (query.since === undefined || line.at >= query.since) && (query.until === undefined || line.at <= query.until);
}

/** The position is how many lines came before; a follow ends with the run, as at a real engine. */
export async function* readLogBatches(
  world: MemoryWorld,
  bus: EventBus,
  id: string,
  { after, follow, signal }: LogBatchQuery,
): AsyncGenerator<LogBatch> {
  const container = world.containers.get(id);
  if (container === undefined) return;
  let next = after === null ? 0 : Number(after);
  while (!signal.aborted) {
    const lines = container.logs.slice(next);
    next += lines.length;
    if (lines.length > 0) yield inColumns(lines, String(next));
    else if (!follow || container.state !== 'running') return;
    else await grown(container, next, bus, signal);
  }
}

function inColumns(lines: LogLine[], position: string): LogBatch {
  const times = lines.map(({ at }) => at.getTime());
  return {
    count: lines.length,
    seconds: Uint32Array.from(times, (ms) => Math.floor(ms / 1000)),
    nanos: Uint32Array.from(times, (ms) => (ms % 1000) * 1_000_000),
    stderr: Uint8Array.from(lines, ({ stream }) => (stream === 'stderr' ? 1 : 0)),
    text: Buffer.from(lines.map(({ line }) => `${line}\n`).join('')),
    position,
  };
}
