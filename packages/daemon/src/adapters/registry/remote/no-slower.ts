import { RemoteProblem } from './problem.ts';

/** In which time at least how much has to arrive. */
export interface Pace {
  ms: number;
  bytes: number;
}

const PACE: Pace = { ms: 60_000, bytes: 64 * 1024 };

/**
 * Passes on a download, and ends one that is slower than any real one: the engine lets other pulls of the same layer wait
 * for it. Only the time in which nothing arrives counts, and not that in which the engine takes nothing.
 * @throws RemoteProblem for a slower one
 */
export async function* noSlower(chunks: AsyncIterable<Buffer>, pace = PACE): AsyncGenerator<Buffer> {
  let [waitedMs, bytes] = [0, 0];
  let from = performance.now();
  for await (const chunk of chunks) {
    waitedMs += performance.now() - from;
    bytes += chunk.length;
    if (waitedMs > pace.ms) {
      if (bytes < pace.bytes) throw new RemoteProblem('registry_unreachable', 'a download is too slow');
      [waitedMs, bytes] = [0, 0];
    }
    yield chunk;
    from = performance.now();
  }
}
