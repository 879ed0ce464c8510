/**
 * Guarantees for a killed daemon: no acknowledged change is lost, no object is left behind, and apps continue to serve.
 */
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import { startInstance } from '../../support/instance.ts';
import { type KillsReport, killDuringDeploys, TERMINAL_WITHIN_MS } from '../../support/kill.ts';
import { IS_LONG } from '../../support/tiers.ts';
import { FULL_LOAD, LIGHT_LOAD } from '../../support/traffic.ts';

const KILLS = IS_LONG ? 60 : 10;
const RATES = IS_LONG ? FULL_LOAD : LIGHT_LOAD;

describe(`a daemon killed ${KILLS} times during deployments`, {
  skip: process.getuid?.() !== 0 && 'needs root',
}, () => {
  let report: KillsReport;

  before(async () => {
    await using instance = await startInstance();
    report = await killDuringDeploys(instance, KILLS, { rates: RATES });
  });

  test('keeps a record of every deployment that was acknowledged', () => {
    assert.ok(report.acknowledged > 0);
    assert.deepEqual(report.lostRecords, []);
  });

  test('leaves no object without a record at the engine', () => {
    assert.deepEqual(report.orphans, []);
  });

  test('finishes every deployment soon after the daemon starts again', () => {
    assert.ok(report.slowestEndMs < TERMINAL_WITHIN_MS, `${report.slowestEndMs} ms`);
    assert.deepEqual(
      Object.keys(report.outcomes).filter((status) => status === 'pending' || status === 'running'),
      [],
    );
  });

  test('loses no request to the apps', () => {
    assert.deepEqual(report.traffic.failures, []);
  });
});
