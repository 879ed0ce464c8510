import { RemoteProblem } from './problem.ts';

/** Minimum speed of a download: at least `bytes` bytes within `ms` milliseconds. */
export interface Pace {
  ms: number;
  bytes: number;
}

export const PACE: Pace = { ms: 60_000, bytes: 1024 * 1024 };

/**
 * Forwards the data of a layer download and fails if the download is too slow. Several pulls can wait for the same
 * download in Docker, so a slow registry could delay pulls from other registries. The time in which Docker reads no
 * data does not count.
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
