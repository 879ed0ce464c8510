import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { AccessLine } from '../../adapters/proxy/access-log.ts';
import { TrafficCounts } from './traffic-counts.ts';

/** Generates requests of which only some have a log line. */
const someLines = fc
  .array(fc.record({ leftOut: fc.nat(5), place: fc.nat(6) }), { minLength: 1, maxLength: 60 })
  .map((turns) => {
    let requests = 0;
    const lines = turns.map(({ leftOut }, before) => {
      requests += leftOut + 1;
      return line({ lines: before + 1, requests, sampled: true });
    });
    // Lines arrive in any order, because several threads of the proxy write at the same time.
    const order = turns.map(({ place }, at) => ({ at, key: at + place })).sort((a, b) => a.key - b.key || a.at - b.at);
    return { requests, overtaken: order.flatMap(({ at }) => lines[at] ?? []) };
  });

function line(fields: Partial<AccessLine>): AccessLine {
  const usual = { process: 1, slot: 1, lines: 1, requests: 1, at: 0, status: 200, ms: 5, bytes: 1, host: 'a.example' };
  return { ...usual, sampled: false, ...fields };
}

function follow(counts: TrafficCounts, lines: AccessLine[], app: number | undefined = 1) {
  let [requests, missed] = [0, 0];
  for (const one of lines) {
    const growth = counts.follow(one, app);
    requests += growth?.requests ?? 0;
    missed += growth?.missed ?? 0;
  }
  return { requests, missed };
}

describe('traffic counts from access log lines', () => {
  it('report no missed request if all lines arrive in any order', () => {
    fc.assert(
      fc.property(someLines, ({ requests, overtaken }) => {
        assert.deepEqual(follow(new TrafficCounts(), overtaken), { requests, missed: 0 });
      }),
    );
  });

  it('count each request as received or missed if lines are lost', () => {
    fc.assert(
      fc.property(someLines, fc.array(fc.boolean(), { maxLength: 60 }), ({ requests, overtaken }, lost) => {
        const last = Math.max(...overtaken.map(({ lines }) => lines));
        const received = overtaken.filter((one, at) => one.lines === last || lost[at] !== true);

        const growth = follow(new TrafficCounts(), received);

        assert.equal(growth.requests + growth.missed, requests);
        assert.ok(growth.missed >= 0);
      }),
    );
  });

  it('report missed requests of an ended process and correct for late lines', () => {
    const counts = new TrafficCounts();
    const received = follow(counts, [line({ lines: 1, requests: 1 }), line({ lines: 2, requests: 2 })]);

    const missed = counts.settle({ process: 1, slot: 1, lines: 5, requests: 9 }, 1);
    const again = counts.settle({ process: 1, slot: 1, lines: 5, requests: 9 }, 1);
    const late = follow(counts, [line({ lines: 3, requests: 3 }), line({ lines: 4, requests: 4 })]);

    assert.deepEqual([received, missed, again], [{ requests: 2, missed: 0 }, 7, 0]);
    assert.deepEqual(late, { requests: 2, missed: -2 });
  });

  it('restart if an app gets the backend of a removed app', () => {
    const counts = new TrafficCounts();
    follow(counts, [line({ lines: 1, requests: 10 })], 1);
    follow(counts, [line({ lines: 2, requests: 15 })], undefined);
    const saved = new TrafficCounts();
    saved.load(counts.save().rows);

    for (const restarted of [counts, saved]) {
      assert.equal(restarted.follow(line({ lines: 9, requests: 40 }), 2), null);
      assert.deepEqual(follow(restarted, [line({ lines: 10, requests: 42 })], 2), { requests: 2, missed: 0 });
      assert.equal(restarted.settle({ process: 1, slot: 1, lines: 12, requests: 50 }, 3), 0);
      assert.equal(restarted.settle({ process: 1, slot: 1, lines: 12, requests: 53 }, 3), 3);
    }
  });

  it('continue with a record from an earlier version', () => {
    const counts = new TrafficCounts();
    counts.load([{ process: 1, data: new Uint8Array(new Float64Array([1, 4, 4, 4, 0, 0]).buffer) }]);

    assert.deepEqual(follow(counts, [line({ lines: 5, requests: 5 })], 2), { requests: 1, missed: 0 });
  });
});
