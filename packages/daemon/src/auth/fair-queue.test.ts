import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DavitError } from '@davit/api';
import { FairQueue } from './fair-queue.ts';

/** Creates a queue whose work ends on command. `begun` contains the names of the started work in order. */
function gated() {
  const queue = new FairQueue();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, { known = false } = {}) =>
    queue.run({ source: name.replace(/\d+$/, ''), known }, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  /** Ends all started work, and the work that starts then, until the queue is empty. */
  const finish = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { run, begun, finish };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const refusals = (results: PromiseSettledResult<void>[]) => results.filter(({ status }) => status === 'rejected');

describe('the fair queue', () => {
  it('runs two calls at a time, queues twenty, and refuses further calls', async () => {
    const { run, begun, finish } = gated();
    const all = Promise.allSettled(names('a', 30).map((name) => run(name)));
    assert.equal(begun.length, 2);
    await finish();
    const refused = refusals(await all) as PromiseRejectedResult[];
    assert.equal(refused.length, 8);
    for (const { reason } of refused) {
      const { code, retryAfterS } = reason as DavitError;
      assert.deepEqual([code, retryAfterS], ['too_many_requests', 1]);
    }
    assert.equal(begun.length, 22);
  });

  it('alternates between the sources of waiting calls', async () => {
    const { run, begun, finish } = gated();
    const all = Promise.allSettled([...names('a', 6), 'b0', 'c0'].map((name) => run(name)));
    await finish();
    await all;
    assert.deepEqual(begun, ['a0', 'a1', 'a2', 'b0', 'c0', 'a3', 'a4', 'a5']);
  });

  it('drops a waiting call of the busiest source for a new source only', async () => {
    const { run, begun, finish } = gated();
    const flood = Promise.allSettled(names('a', 22).map((name) => run(name)));
    const one = run('b0');
    const more = Promise.allSettled([run('a99')]);
    await finish();
    await one;
    assert.ok(begun.includes('b0'));
    assert.equal(refusals(await flood).length, 1);
    assert.equal(refusals(await more).length, 1);
  });

  it('refuses a new source if every queued call has a different source', async () => {
    const { run, finish } = gated();
    const all = Promise.allSettled(names('', 22).map((n) => run(`source-${n}-`)));
    const late = Promise.allSettled([run('late-')]);
    await finish();
    assert.equal(refusals(await all).length, 0);
    assert.equal(refusals(await late).length, 1);
  });

  it('runs calls of a known source before the calls of unknown sources', async () => {
    const { run, begun, finish } = gated();
    const flood = Promise.allSettled(names('', 40).map((n) => run(`source-${n}-`)));
    const known = run('ada', { known: true });
    await finish();
    await known;
    await flood;
    assert.equal(begun[2], 'ada');
  });

  it('continues with other calls after a call throws', async () => {
    const queue = new FairQueue();
    const claimant = { source: 'a', known: false };
    const failing = () => queue.run(claimant, () => Promise.reject(new Error('broken')));
    await Promise.allSettled(Array.from({ length: 5 }, failing));
    assert.equal(await queue.run(claimant, async () => 'done'), 'done');
  });
});
