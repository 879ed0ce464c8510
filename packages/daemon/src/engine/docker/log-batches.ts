import type { LogBatch, LogBatchQuery } from '../engine.ts';
import { EngineUnavailable } from '../engine.ts';
import type { DockerContext } from './context.ts';
import { isStatus } from './errors.ts';
import type { DockerInstances } from './instances.ts';
import { LogParser } from './log-parser.ts';
import { LogPosition } from './log-position.ts';

/**
 * The container's log from a position on; with `follow` until its run ends.
 * @throws EngineUnavailable when the stream breaks: what was given before it holds
 */
export async function* readLogBatches(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  { after, follow, signal }: LogBatchQuery,
): AsyncGenerator<LogBatch> {
  const parser = new LogParser(after);
  const since = LogPosition.since(after);
  try {
    // Somebody else's container is refused here.
    if ((await instances.findFacts(id, signal)) === null) return;
    const query = { stdout: true, stderr: true, timestamps: true, follow, ...(since !== undefined && { since }) };
    const path = `/containers/${id}/logs`;
    const stream = await context.client.stream({ doing: 'read logs', path, query, signal });
    for await (const chunk of stream) {
      const batch = parser.push(chunk as Buffer);
      if (batch !== null) yield batch;
    }
    const last = parser.end();
    if (last !== null) yield last;
  } catch (error) {
    // An abort is how a reader ends a follow; a container that is gone has no lines.
    if (signal.aborted || isStatus(error, 404, 409)) return;
    throw isConnection(error) ? new EngineUnavailable('read logs: the engine went away', { cause: error }) : error;
  }
}

/** The body broke off, after the head that the client speaks for. */
function isConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
