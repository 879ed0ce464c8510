/**
 * For any sequence of requests and crashes, the final state matches the record. The sequences are generated from a
 * seed, so that a failure can be repeated with its seed.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DavitError, isTerminal } from '@davit/api';
import { heldBy } from '../../src/adapters/engine/names.ts';
import { unchecked } from '../../src/db/select.ts';
import { insertVolume } from '../../src/db/tables/volume.ts';
import { deploySettings, patching } from '../../src/resources/apps/settings.ts';
import { deleteDeployment } from '../../src/resources/deployments/deployment.ts';
import { Harness } from '../support/harness.ts';

const ORDERS = 40;
const MOVES = 14;
const MOST_TURNS = 10;

/** Returns a generator of numbers below one, which are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    // The Mulberry32 algorithm.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const by = { by: 'ada', via: 'api' } as const;

/** Possible requests. Each of them may be refused in some states. */
const MOVE: Record<string, (world: Harness, random: () => number) => Promise<unknown>> = {
  deploy: (harness, random) => harness.request({ tag: random() < 0.2 ? 'crash' : `v${Math.ceil(random() * 3)}` }),
  restart: (harness) => harness.request({ trigger: { kind: 'restart', ...by } }),
  change: (harness, random) =>
    deploySettings(harness.core, harness.ctx, harness.app(), patching({ args: [String(random())] })),
  start: (harness) => harness.request({ trigger: { kind: 'start', ...by } }),
  stop: (harness) => harness.machine.stop(harness.app().id),
  rollBack: (harness, random) => harness.request({ rollbackOf: Math.ceil(random() * harness.statuses().length) }),
  cancel: (harness) => harness.machine.cancel(harness.statuses().length),
  forget: (harness, random) => {
    const rows = harness.core.store.all(unchecked<{ id: number }>('SELECT id FROM deployments'));
    const id = rows[Math.floor(random() * rows.length)]?.id;
    if (id === undefined) return Promise.resolve();
    return deleteDeployment(harness.core, harness.ctx, { app: harness.app(), deployment: harness.row(id) });
  },
  crash: (harness) => harness.crash(),
  look: (harness) => harness.look(),
  reconcile: (harness) => harness.reconcile(),
};

async function play(harness: Harness, seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  // Most of the other requests need a release to have an effect.
  const names = [...Object.keys(MOVE), 'deploy', 'deploy', 'deploy'];
  const moves: string[] = [];
  const pending: Promise<unknown>[] = [];
  for (let i = 0; i < MOVES; i++) {
    const name = names[Math.floor(random() * names.length)] ?? 'deploy';
    moves.push(name);
    const done = MOVE[name]?.(harness, random).catch((error: unknown) => {
      if (!(error instanceof DavitError)) throw error;
    });
    pending.push(done ?? Promise.resolve());
    // A new machine reads the present state, so a crash must end before the next request.
    if (name === 'crash') await done;
    for (let turn = Math.floor(random() * MOST_TURNS); turn > 0; turn--) await setImmediate();
  }
  await Promise.all(pending);
  return moves;
}

for (const exclusive of [false, true]) {
  test(`${ORDERS} random sequences of requests and crashes end in the recorded state${exclusive ? ', with a volume' : ''}`, async () => {
    for (let seed = 1; seed <= ORDERS; seed++) {
      await using harness = await Harness.with({ scale: exclusive ? 1 : 2 });
      if (exclusive) {
        const { id: appId, project, reference } = harness.app();
        const volume = { appId, projectId: project.id, app: reference, path: '/data', at: 0 };
        harness.core.store.tx((tx) => insertVolume(tx, volume, (id) => `davit-testtest-v${id}`));
      }
      const moves = await play(harness, seed);
      // The database may contain a request of the process that has crashed. The next process completes it.
      await harness.crash();
      await harness.machine.settled();
      await harness.reconcile();
      await harness.machine.settled();
      await harness.reconcile();
      assertAsRecorded(harness, `seed ${seed}: ${moves.join(', ')}`);
      await assertHeld(harness, `seed ${seed}: ${moves.join(', ')}`);
    }
  });
}

function assertAsRecorded(harness: Harness, moves: string): void {
  const { liveDeployment: live, stopped, spec } = harness.app();
  const runs = live !== null && !stopped;
  const names = Array.from({ length: runs ? spec.scale : 0 }, (_, i) => `davit-testtest-${live}-${i + 1} running`);
  const seen = harness.engine.controls.containers().map(({ name, state }) => `${name} ${state}`);
  assert.deepEqual(seen.toSorted(), names, moves);
  assert.equal(harness.proxy.serving('web.production.shop.localhost')?.length, names.length, moves);
  assert.equal(harness.engine.controls.resolve('web.production.shop.internal').length, names.length, moves);
  assert.ok(harness.statuses().every(isTerminal), moves);
  const left = harness.core.store.all(unchecked("SELECT name FROM instances WHERE role <> 'active'"));
  assert.deepEqual(left, [], moves);
}

async function assertHeld(harness: Harness, moves: string): Promise<void> {
  const held = (await harness.engine.heldImages()).map(heldBy);
  for (const id of held) assert.equal(harness.row(id).status, 'succeeded', moves);
  const { liveDeployment } = harness.app();
  if (liveDeployment !== null) assert.ok(held.includes(liveDeployment), moves);
}
