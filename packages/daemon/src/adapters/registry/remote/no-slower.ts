import { RemoteProblem } from './problem.ts';

/** Minimum speed of a download: at least `bytes` bytes within `ms` milliseconds. */
export interface Pace {
  ms: number;
  bytes: number;
}

export const PACE: Pace = { ms: 60_000, bytes: 1024 * 1024 };

/**
 * Forwards a layer download and stops if the download is too slow. Pulls can share a download, so a slow registry could
 * delay pulls from other registries.
 * @throws RemoteProblem
 */
export async function* noSlower(chunks: AsyncIterable<Buffer>, pace = PACE): AsyncGenerator<Buffer> {
  let [waitedMs, bytes] = [0, 0];
  let from = performance.now();
  for await (const chunk of chunks) {
    /*
     * Measures only the time in which the daemon waits for the registry. The time in which Docker reads no data is not
     * included.
     */
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
