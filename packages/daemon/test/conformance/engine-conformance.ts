/**
 * Requirements for every engine adapter, tested with each of them. The deployment runner can use every adapter that
 * passes. An adapter declares the requirements that it cannot meet with a reason, and they are skipped.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { executionPromises } from './executions.ts';
import { filePromises } from './files.ts';
import { imagePromises } from './images.ts';
import { instancePromises } from './instances.ts';
import { kindPromises } from './kinds.ts';
import { lookingPromises } from './looking.ts';
import { namePromises } from './names.ts';
import { networkPromises } from './networks.ts';
import { oneOffPromises } from './one-offs.ts';
import { processPromises } from './processes.ts';
import { registryPromises } from './registries.ts';
import type { Rig, Stage } from './rig.ts';
import { createStage } from './rig.ts';
import { runningPromises } from './running.ts';
import { terminalPromises } from './terminals.ts';
import { usagePromises } from './usage.ts';
import { volumePromises } from './volumes.ts';

export type { Rig, RigImages } from './rig.ts';

type Promises = Record<string, (stage: Stage) => Promise<void>>;

/** Both halves of the suite. They take about the same time on a real engine. */
const HALVES: [title: string, Promises][] = [
  [
    'images, networks, containers and volumes',
    {
      ...imagePromises,
      ...networkPromises,
      ...instancePromises,
      ...runningPromises,
      ...lookingPromises,
      ...volumePromises,
      ...filePromises,
      ...kindPromises,
    },
  ],
  [
    'commands, terminals, names and limits',
    {
      ...oneOffPromises,
      ...terminalPromises,
      ...executionPromises,
      ...namePromises,
      ...usagePromises,
      ...processPromises,
      ...registryPromises,
    },
  ],
];

/** Cases beside which the shared container may run. The other cases list containers, so it is removed before them. */
const IN_SHARED = new Set([...Object.keys(terminalPromises), ...Object.keys(executionPromises)]);

/**
 * Declares the suite.
 * @param make creates an engine that no other test uses; its `cleanup` runs after the last case
 * @param cannot requirements that this engine cannot meet: the name of the case, and the reason
 */
export function engineConformance(name: string, make: () => Promise<Rig>, cannot: Record<string, string> = {}): void {
  // Tests with a real engine mostly wait, so one half runs while the other waits.
  describe(`engine conformance: ${name}`, { concurrency: HALVES.length }, () => {
    for (const [title, promises] of HALVES) {
      describe(title, { concurrency: 1 }, () => declare(promises, make, cannot));
    }

    it('declares only existing cases of this suite as unsupported', () => {
      const sentences = HALVES.flatMap(([, promises]) => Object.keys(promises));
      assert.deepEqual(
        Object.keys(cannot).filter((sentence) => !sentences.includes(sentence)),
        [],
      );
    });
  });
}

/** Declares cases that run one after another with the same engine. */
function declare(promises: Promises, make: () => Promise<Rig>, cannot: Record<string, string>): void {
  let stage: Stage;
  before(async () => {
    stage = createStage(await make());
  });
  after(async () => {
    await stage.endShared();
    const left = await leftovers(stage.rig);
    await stage.rig.cleanup();
    assert.deepEqual(left, [], 'the cases left something behind');
    assert.deepEqual(await stage.rig.leftovers(), [], 'something carries the id of this Davit after all was removed');
  });

  for (const [sentence, check] of Object.entries(promises)) {
    const reason = cannot[sentence];
    it(sentence, { skip: reason ?? false }, async () => {
      if (!IN_SHARED.has(sentence)) await stage.endShared();
      try {
        await check(stage);
      } finally {
        await stage.clear();
      }
    });
  }
}

/** Returns objects that a case left behind. Each case must remove what it creates, except the shared network. */
async function leftovers(rig: Rig): Promise<string[]> {
  const containers = (await rig.engine.observe()).map((instance) => `container ${instance.name}`);
  const tags = (await rig.engine.heldImages()).map((tag) => `tag ${tag}`);
  const volumes = (await rig.engine.volumes()).map((volume) => `volume ${volume.name}`);
  return [...containers, ...tags, ...volumes];
}
