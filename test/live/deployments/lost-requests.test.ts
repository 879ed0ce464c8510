/**
 * Guarantees for every deployment: no request is lost, no request goes to a release that is not ready, and other apps
 * are not affected.
 */
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import { startInstance } from '../../support/instance.ts';
import { FULL_LOAD, LIGHT_LOAD, requestsPerSecond } from '../../support/traffic.ts';
import { type DeploysReport, deployUnderTraffic } from '../../support/traffic-deploys.ts';

const IS_LONG = process.env.DAVIT_TEST_LONG === '1';
const DEPLOYS = IS_LONG ? 30 : 5;
/** The quick tier shares two cores with four other files, so a higher rate would measure the machine. */
const RATES = IS_LONG ? FULL_LOAD : LIGHT_LOAD;

describe(`an instance with ${DEPLOYS} deployments under ${requestsPerSecond(RATES)} requests per second`, {
  skip: process.getuid?.() !== 0 && 'needs root',
}, () => {
  let report: DeploysReport;

  before(async () => {
    await using instance = await startInstance();
    report = await deployUnderTraffic(instance, DEPLOYS, { rates: RATES });
  });

  test('completes all of the deployments', () => {
    assert.equal(report.durationsMs.length, DEPLOYS);
  });

  test('loses no request of any traffic class', () => {
    assert.deepEqual(report.traffic.failures, []);
    for (const [name, counts] of Object.entries(report.traffic.classes)) {
      assert.ok(counts.sent > 0 && counts.ok === counts.sent, `${name}: ${JSON.stringify(counts)}`);
    }
  });

  test('sends no request to a release that never became ready', () => {
    assert.ok(report.sick > 0);
    assert.deepEqual(Object.keys(report.traffic.tags).sort(), ['v1', 'v2']);
  });
});
