import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DURATIONS_S, RequestCounts } from './requests.ts';

describe('API request counts', () => {
  it('contain the route, status class and duration of requests', () => {
    const counts = new RequestCounts();
    const read = { method: 'GET', path: '/api/apps' };
    counts.count(read, 200, 0.5);
    counts.count(read, 200, 30);
    counts.count(read, 404, 1);
    counts.count(null, 404, 100_000);

    const [ok, missing, none] = [...counts.entries()];

    assert.deepEqual([ok?.of, ok?.status, ok?.count, ok?.seconds], [read, '2xx', 2, 0.0305]);
    assert.deepEqual(
      ok?.within,
      DURATIONS_S.map((bound) => (bound < 0.05 ? 1 : 2)),
    );
    assert.deepEqual([missing?.status, missing?.within[0]], ['4xx', 1]);
    assert.deepEqual([none?.of, none?.count, none?.within.at(-1)], [null, 1, 0]);
  });
});
