import type { LogLine, LogQuery } from '../engine.ts';
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
