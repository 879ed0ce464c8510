import type { LogBatch, LogLine } from '../../logs.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { LogParser } from './parser.ts';

/** Returns the last lines of a container's log. If the container does not exist, the result is empty. */
export async function readLastLines(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  count: number,
): Promise<LogLine[]> {
  // `findFacts` returns `null` for a missing container, and throws an error for a container of another Davit instance.
  if ((await instances.findFacts(id)) === null) return [];
  try {
    const batches = await readEnd(context, id, count, new LogParser(null));
    return batches.flatMap((batch) => [...linesOf(batch)]);
  } catch (error) {
    if (isStatus(error, 404, 409)) return [];
    throw error;
  }
}

/**
 * Parses the last `count` lines of a container's log.
 * @param parser new parser; the caller can compare it with another parser of the same log to detect missed lines
 */
export async function readEnd(
  { client }: DockerContext,
  id: string,
  count: number,
  parser: LogParser,
): Promise<LogBatch[]> {
  const query = { stdout: true, stderr: true, timestamps: true, tail: count };
  const batches: (LogBatch | null)[] = [];
  for await (const chunk of await client.stream({ doing: 'read logs', path: `/containers/${id}/logs`, query })) {
    batches.push(parser.push(chunk as Buffer));
  }
  batches.push(parser.end());
  return batches.filter((batch) => batch !== null);
}

/**
 * Yields each log line of a batch as an object. Bytes that are not valid UTF-8 become the Unicode replacement
 * character.
 */
export function* linesOf({ count, seconds, nanos, stderr, text }: LogBatch): Generator<LogLine> {
  const lines = text.toString('utf8').split('\n');
  for (let i = 0; i < count; i += 1) {
    const at = new Date((seconds[i] ?? 0) * 1_000 + Math.floor((nanos[i] ?? 0) / 1e6));
    yield { at, stream: stderr[i] === 1 ? 'stderr' : 'stdout', line: lines[i] ?? '' };
  }
}
