import { RemoteProblem } from './problem.ts';

/** Minimum speed of a download: at least `bytes` bytes within `ms` milliseconds. */
export interface Pace {
  ms: number;
  bytes: number;
}

export const PACE: Pace = { ms: 60_000, bytes: 1024 * 1024 };

/**
 * Passes on a layer download, but stops it if the registry sends data too slowly. Otherwise, a slow registry could
 * block pulls from other registries, because Docker downloads a layer that two pulls need only once. Time in which
 * Docker accepts no data is not counted.
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
