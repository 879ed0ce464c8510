import { RemoteProblem } from './problem.ts';

/** Minimum speed of a download: at least `bytes` bytes within `ms` milliseconds. */
export interface Pace {
  ms: number;
  bytes: number;
}

const PACE: Pace = { ms: 60_000, bytes: 64 * 1024 };

/**
 * Passes on a download and stops it if it is too slow. Docker lets other pulls wait for the same layer, so a registry
 * could otherwise block them. Only the time in which no data arrives counts, not the time in which Docker reads no
 * data.
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
