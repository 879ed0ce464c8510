/** Power loss: the instance starts with the content of its disk, and has all acknowledged changes. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cut, whyNoCutDisk } from '../../support/cut-disk.ts';
import { CutInstance, type Moment, problemsOfFirstStart } from '../../support/cut-instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { startPebble } from '../../support/pebble.ts';
import { IS_LONG, inLong } from '../../support/tiers.ts';

/**
 * Latest time of a power loss after the first start, in milliseconds. The system writes data that is not synced after
 * 30 s.
 */
const EARLY_MS = IS_LONG ? 60_000 : 6_000;
const EARLY_CUTS = IS_LONG ? 100 : 3;
/** Maximum time in milliseconds between two cuts during a first start. */
const START_STEP_MS = IS_LONG ? 50 : 800;
const BUSY_CUTS = 100;
/** Maximum time in milliseconds between two cuts of an instance in use. */
const BUSY_MS = 500;

describe('a power loss', { skip: whyNoEngine() ?? whyNoCutDisk() ?? false }, () => {
  test('during the first start leaves a data directory that the next start can use', async () => {
    const cuts: Cut[] = [];
    await using harness = await CutInstance.create(async (cut) => {
      cuts.push(cut);
      await delay(randomInt(START_STEP_MS));
    });
    const problems: string[] = [];
    for (const [n, cut] of cuts.entries())
      for (const problem of await problemsOfFirstStart(cut, harness.instance.dataDir))
        problems.push(`cut ${n + 1}: ${problem}`);
    assert.deepEqual(problems, []);
  });

  describe(`${EARLY_CUTS} times soon after the first start`, () => {
    let harness: CutInstance;
    before(async () => {
      harness = await CutInstance.create();
    });
    after(() => harness?.[Symbol.asyncDispose]());

    test('keeps every acknowledged change, and the instance starts again', async () => {
      const started = performance.now();
      await harness.deployNew('shop');
      const moments: Moment[] = [];
      for (const at of spread(EARLY_CUTS, EARLY_MS)) {
        await delay(Math.max(0, at - (performance.now() - started)));
        moments.push(await harness.cut());
      }
      await demandWhole(harness, moments);
    });
  });

  describe(`${BUSY_CUTS} times during deployments, backups and certificate orders`, inLong, () => {
    let harness: CutInstance;
    before(async () => {
      harness = await CutInstance.create();
    });
    after(() => harness?.[Symbol.asyncDispose]());

    test('keeps every acknowledged change, and the instance starts again', async () => {
      await using pebble = await startPebble({ httpPort: harness.instance.httpPort });
      await harness.orderAt(pebble);
      const params = await harness.deployNew('shop');
      const database = await harness.database('shop');
      const over = new AbortController();
      const until = async (work: (n: number) => Promise<unknown>) => {
        for (let n = 0; !over.signal.aborted; n += 1) await work(n);
      };
      const work = Promise.all([
        until((n) => harness.deployAgain(params, n % 2 === 0 ? 'v2' : 'v1')),
        until(() => harness.backUp(database)),
        until((n) => harness.certify(params, `host-${n}.example.org`)),
      ]);
      const moments: Moment[] = [];
      while (moments.length < BUSY_CUTS) {
        await Promise.race([delay(randomInt(2 * BUSY_MS)), work]);
        moments.push(await harness.cut());
      }
      over.abort();
      await work;
      await demandWhole(harness, moments);
    });
  });
});

/** Returns random times within a period, in order. */
function spread(count: number, withinMs: number): number[] {
  return Array.from({ length: count }, () => randomInt(withinMs)).sort((a, b) => a - b);
}

async function demandWhole(harness: CutInstance, moments: readonly Moment[]): Promise<void> {
  const problems: string[] = [];
  for (const [n, moment] of moments.entries())
    for (const problem of await harness.problemsOf(moment)) problems.push(`cut ${n + 1}: ${problem}`);
  assert.deepEqual(problems, []);
}
