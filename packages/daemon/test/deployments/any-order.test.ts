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
import { World } from '../support/world.ts';

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
const MOVE: Record<string, (world: World, random: () => number) => Promise<unknown>> = {
  deploy: (world, random) => world.request({ tag: random() < 0.2 ? 'crash' : `v${Math.ceil(random() * 3)}` }),
  restart: (world) => world.request({ trigger: { kind: 'restart', ...by } }),
  change: (world, random) => deploySettings(world.core, world.ctx, world.app(), patching({ args: [String(random())] })),
  start: (world) => world.request({ trigger: { kind: 'start', ...by } }),
  stop: (world) => world.machine.stop(world.app().id),
  rollBack: (world, random) => world.request({ rollbackOf: Math.ceil(random() * world.statuses().length) }),
  cancel: (world) => world.machine.cancel(world.statuses().length),
  forget: (world, random) => {
    const rows = world.core.store.all(unchecked<{ id: number }>('SELECT id FROM deployments'));
    const id = rows[Math.floor(random() * rows.length)]?.id;
    if (id === undefined) return Promise.resolve();
    return deleteDeployment(world.core, world.ctx, { app: world.app(), deployment: world.row(id) });
  },
  crash: (world) => world.crash(),
  look: (world) => world.look(),
  reconcile: (world) => world.reconcile(),
};

async function play(world: World, seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  // Most of the other requests need a release to have an effect.
  const names = [...Object.keys(MOVE), 'deploy', 'deploy', 'deploy'];
  const moves: string[] = [];
  const asked: Promise<unknown>[] = [];
  for (let i = 0; i < MOVES; i++) {
    const name = names[Math.floor(random() * names.length)] ?? 'deploy';
    moves.push(name);
    const done = MOVE[name]?.(world, random).catch((error: unknown) => {
      if (!(error instanceof DavitError)) throw error;
    });
    asked.push(done ?? Promise.resolve());
    // A new machine reads the present state, so a crash must end before the next request.
    if (name === 'crash') await done;
    for (let turn = Math.floor(random() * MOST_TURNS); turn > 0; turn--) await setImmediate();
  }
  await Promise.all(asked);
  return moves;
}

for (const exclusive of [false, true]) {
  test(`${ORDERS} random sequences of requests and crashes end in the recorded state${exclusive ? ', with a volume' : ''}`, async () => {
    for (let seed = 1; seed <= ORDERS; seed++) {
      await using world = await World.with({ scale: exclusive ? 1 : 2 });
      if (exclusive) {
        const { id: appId, project, reference } = world.app();
        const volume = { appId, projectId: project.id, app: reference, path: '/data', at: 0 };
        world.core.store.tx((tx) => insertVolume(tx, volume, (id) => `davit-testtest-v${id}`));
      }
      const moves = await play(world, seed);
      // A request to a process that died before its response may be on record, so the next process completes it.
      await world.crash();
      await world.machine.settled();
      await world.reconcile();
      await world.machine.settled();
      await world.reconcile();
      assertAsRecorded(world, `seed ${seed}: ${moves.join(', ')}`);
      await assertHeld(world, `seed ${seed}: ${moves.join(', ')}`);
    }
  });
}

function assertAsRecorded(world: World, moves: string): void {
  const { liveDeployment: live, stopped, spec } = world.app();
  const runs = live !== null && !stopped;
  const names = Array.from({ length: runs ? spec.scale : 0 }, (_, i) => `davit-testtest-${live}-${i + 1} running`);
  const seen = world.engine.controls.containers().map(({ name, state }) => `${name} ${state}`);
  assert.deepEqual(seen.toSorted(), names, moves);
  assert.equal(world.proxy.serving('web.production.shop.localhost')?.length, names.length, moves);
  assert.equal(world.engine.controls.resolve('web.production.shop.internal').length, names.length, moves);
  assert.ok(world.statuses().every(isTerminal), moves);
  const left = world.core.store.all(unchecked("SELECT name FROM instances WHERE role <> 'active'"));
  assert.deepEqual(left, [], moves);
}

async function assertHeld(world: World, moves: string): Promise<void> {
  const held = (await world.engine.heldImages()).map(heldBy);
  for (const id of held) assert.equal(world.row(id).status, 'succeeded', moves);
  const { liveDeployment } = world.app();
  if (liveDeployment !== null) assert.ok(held.includes(liveDeployment), moves);
}
