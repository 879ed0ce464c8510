/** Guarantees for a daemon that is killed while it installs, updates and removes a template. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDED_WITHIN_MS, killDuringInstalls } from '../../support/kill-installs.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { IS_LONG } from '../../support/tiers.ts';

const KILLS = IS_LONG ? 30 : 2;

describe(`a daemon killed ${KILLS} times during template installations`, {
  skip: process.getuid?.() !== 0 && 'needs root',
}, () => {
  it('finishes every run and leaves no lost records, lost data or orphaned objects', async () => {
    await using harness = await LiveHarness.create();
    const { lostRecords, lostData, orphans, unended, slowestEndMs } = await killDuringInstalls(harness, KILLS);
    assert.deepEqual(
      { lostRecords, lostData, orphans, unended },
      { lostRecords: [], lostData: [], orphans: [], unended: [] },
    );
    assert.ok(slowestEndMs < ENDED_WITHIN_MS, `${slowestEndMs} ms`);
  });
});
