import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { loadPart, PartMissing } from './part.ts';

describe('loadPart', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Returns a loader that fails a number of times before it succeeds. */
  function failing(times: number) {
    let attempts = 0;
    const load = async () => {
      attempts += 1;
      if (attempts <= times) throw new TypeError('Failed to fetch dynamically imported module');
      return 'the file';
    };
    return { load, asked: () => attempts };
  }

  async function passTime<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    void work.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(100);
    }
    return work;
  }

  it('retries a dashboard file after network failures', async () => {
    const file = failing(3);
    assert.equal(await passTime(loadPart(file.load)), 'the file');
    assert.equal(file.asked(), 4);
  });

  it('throws PartMissing with a reload hint after repeated failures', async () => {
    const file = failing(Number.POSITIVE_INFINITY);
    await assert.rejects(passTime(loadPart(file.load)), (error: Error) => {
      assert.ok(error instanceof PartMissing);
      assert.match(error.message, /Cannot load a part of the dashboard: .* Reload the page\.$/);
      assert.match((error.cause as Error).message, /Failed to fetch/);
      return true;
    });
    assert.equal(file.asked(), 7);
  });
});
