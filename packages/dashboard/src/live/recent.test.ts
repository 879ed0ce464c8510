import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Happened } from './messages.ts';
import { Recent } from './recent.ts';

const event = (id: number) => ({ id }) as unknown as Happened;

describe('recent events', () => {
  it('returns all events since a time, or null', () => {
    const recent = new Recent();
    assert.equal(recent.since(0), null);
    recent.begin(0);
    for (let at = 1; at <= 1_001; at++) recent.add(event(at), at);

    for (const moment of [1, 100, 501, 502, 1_001]) {
      const found = recent.since(moment);
      assert.ok(found === null || found.length === 1_002 - moment, `since ${moment}: ${found?.length}`);
    }
    assert.equal(recent.since(502)?.length, 500);
    assert.equal(recent.since(501), null);
  });
});
