import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { Pace } from './pace.ts';

function makePace(): { pace: Pace; lines: string[]; clock: { ms: number } } {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  return { pace: new Pace({ log, secondMs: 1_000, now: () => clock.ms }), lines, clock };
}

const inSeconds = (seconds: number) => String(Math.ceil(Date.now() / 1000) + seconds);

describe('Pace', () => {
  it('allows all requests at first and reports the remaining budget', () => {
    const { pace, lines } = makePace();
    pace.note('core', 200, new Headers({ 'x-ratelimit-remaining': '4999', 'x-ratelimit-limit': '5000' }));
    assert.equal(pace.waitMs('core'), 0);
    assert.deepEqual(pace.budget(), { core: { remaining: 4_999, limit: 5_000 } });
    assert.deepEqual(lines, []);
  });

  it('pauses a resource with a spent budget until its reset time', () => {
    const { pace } = makePace();
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '5000', 'x-ratelimit-reset': inSeconds(100) };
    pace.note('graphql', 200, new Headers(headers));
    assert.ok(pace.waitS('graphql') > 99);
    assert.equal(pace.waitS('core'), 0);
  });

  it('waits for a Retry-After in seconds or as a date', () => {
    for (const retryAfter of ['30', new Date(Date.now() + 30_000).toUTCString()]) {
      const { pace } = makePace();
      pace.note('core', 429, new Headers({ 'retry-after': retryAfter }));
      assert.ok(pace.waitS('core') > 28 && pace.waitS('core') <= 30);
      assert.ok(pace.waitS('graphql') > 28);
    }
  });

  it('waits a minute after a limit, doubles repeated waits and resets after a success', () => {
    const { pace, clock } = makePace();
    for (const seconds of [60, 120, 240]) {
      pace.noteLimit('core');
      pace.noteLimit('graphql');
      assert.equal(pace.waitS('graphql'), seconds);
      clock.ms += seconds * 1_000;
      assert.equal(pace.waitS('core'), 0);
    }
    pace.noteGood();
    pace.noteLimit('core');
    assert.equal(pace.waitS('core'), 60);
  });

  it('does not count an expired Retry-After as a limit without a time', () => {
    const { pace, clock } = makePace();
    pace.note('graphql', 200, new Headers({ 'retry-after': '1' }));
    clock.ms += 2_000;
    pace.noteLimit('graphql');
    assert.equal(pace.waitS('graphql'), 0);
    pace.note('graphql', 200, new Headers());
    pace.noteLimit('graphql');
    assert.equal(pace.waitS('graphql'), 60);
  });

  it('limits the wait to an hour and logs the pause', () => {
    const { pace, lines } = makePace();
    pace.note('core', 503, new Headers({ 'retry-after': '999999999' }));
    assert.equal(pace.waitS('core'), 3_601);
    assert.match(lines.join(''), /requests to GitHub are paused/);
  });

  it('tolerates rate limit headers with invalid values', () => {
    const { pace } = makePace();
    pace.note('core', 403, new Headers({ 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '-1' }));
    assert.equal(pace.waitS('core'), 0);
    pace.note('core', 403, new Headers({ 'retry-after': 'soon' }));
    assert.equal(pace.waitS('core'), 60);
  });
});
