import { RemoteProblem } from './problem.ts';

/** Minimum speed of a download: `bytes` within `ms`. */
export interface Pace {
  ms: number;
  bytes: number;
}

const PACE: Pace = { ms: 60_000, bytes: 64 * 1024 };

/**
 * Passes on a download and ends it if it is slower than any real download. The limit is necessary because the engine
 * makes other pulls of the same layer wait. Only the time without incoming data counts, not the time in which the
 * engine accepts no data.
 * @throws RemoteProblem if the download is too slow
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
