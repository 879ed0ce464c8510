import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { noSlower, PACE } from './no-slower.ts';
import { RemoteProblem } from './problem.ts';

const SHORT = { ms: 1_000, bytes: 10 };

/** Reads a download with delays. @param arrivals delay in milliseconds and size in bytes of each chunk */
async function read(arrivals: [afterMs: number, bytes: number][], takenMs = 0, pace = SHORT): Promise<number> {
  let now = 0;
  const clock = mock.method(performance, 'now', () => now);
  async function* download() {
    for (const [afterMs, bytes] of arrivals) {
      now += afterMs;
      yield Buffer.alloc(bytes);
    }
  }
  try {
    let read = 0;
    for await (const { length } of noSlower(download(), pace)) {
      read += length;
      now += takenMs;
    }
    return read;
  } finally {
    clock.mock.restore();
  }
}

const times = (count: number, arrival: [number, number]) => Array.from({ length: count }, () => arrival);

describe('noSlower', () => {
  it('accepts a slow download with a short pause', async () => {
    assert.equal(await read(times(50, [500, 5])), 250);
    assert.equal(await read([[900, 1], ...times(20, [100, 5])]), 101);
  });

  it('refuses a download below the minimum speed', async () => {
    await assert.rejects(read(times(50, [500, 2])), RemoteProblem);
    await assert.rejects(read([...times(50, [10, 100]), ...times(10, [400, 1])]), RemoteProblem);
  });

  it('requires at least 1 MiB per minute by default', async () => {
    assert.equal(await read(times(200, [1_000, 18_000]), 0, PACE), 3_600_000);
    await assert.rejects(read(times(200, [1_000, 17_000]), 0, PACE), RemoteProblem);
  });

  it('ignores the time in which the engine reads nothing', async () => {
    assert.equal(await read(times(50, [1, 1]), 10_000), 50);
  });
});
