import type { LogBatch, LogBatchQuery, LogLine } from '../logs.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer } from './container.ts';
import type { SimulatedEngineState } from './state.ts';

export function readLastLines(state: SimulatedEngineState, id: string, count: number): LogLine[] {
  const lines = state.containers.get(id)?.logs ?? [];
  return lines.slice(Math.max(0, lines.length - count));
}

async function grown(container: MemoryContainer, length: number, bus: EventBus, signal: AbortSignal): Promise<void> {
  if (container.logs.length > length) return;
  // Ignores the abort error of `bus.next`, because the caller aborts the signal when it needs no more log lines.
  await bus.next(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/**
 * Yields the log lines of a simulated container in batches. The position of a batch is the number of log lines up to
 * its end.
 */
export async function* readLogBatches(
  state: SimulatedEngineState,
  bus: EventBus,
  id: string,
  { after, follow, signal }: LogBatchQuery,
): AsyncGenerator<LogBatch> {
  const container = state.containers.get(id);
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
