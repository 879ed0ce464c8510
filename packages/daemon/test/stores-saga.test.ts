/** Every kind of task on object stores, at every step: done twice, failing, dying, cancelled. */
import { StoreCreate } from '@davit/api';
import {
  createStore,
  exposeStore,
  restoreStore,
  startStore,
  stopStore,
  unexposeStore,
} from '../src/core/managed-store.ts';
import { deleteStore } from '../src/core/store-deletion.ts';
import { networkName } from '../src/engine/names.ts';
import { STORE } from '../src/objects/managed/resident.ts';
import { nameRecords } from '../src/release/names.ts';
import { keepResident } from '../src/residents/keep.ts';
import { environmentBySlugs } from '../src/store/environment.ts';
import { allManagedStores } from '../src/store/managed-store.ts';
import type { ManagedStoreRow } from '../src/store/object-store.ts';
import { DAVIT_ID } from './support/simulated-core.ts';
import { taskMatrix } from './support/task-matrix.ts';
import { TaskWorld } from './support/task-world.ts';

const PORT = 16_432;

function create(world: TaskWorld): number {
  const row = environmentBySlugs(world.core.store, 'shop', 'production');
  if (row === undefined) throw new Error('there is no environment');
  const project = { id: row.project_id, slug: row.project };
  const environment = { id: row.id, slug: row.slug, project, createdAt: row.created_at };
  return createStore(world.core, world.ctx, environment, StoreCreate.parse({ name: 'files' }));
}

function files(world: TaskWorld): ManagedStoreRow {
  const [row] = allManagedStores(world.core.store);
  if (row === undefined) throw new Error('there is no store');
  return row;
}

async function made(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  await world.ended(create(world));
  return world;
}

async function then(act: (world: TaskWorld) => number | Promise<number>): Promise<TaskWorld> {
  const world = await made();
  await world.ended(await act(world));
  return world;
}

/** What is on record of stores but for what differs from try to try, and what the engine has of them. */
async function snapshot(world: TaskWorld): Promise<object> {
  const rows = allManagedStores(world.core.store).map(
    ({ name, wanted, state, observed, port, address, deleted_at, reason }) => ({
      ...{ name, wanted, state, observed, port, address, reason },
      isTrashed: deleted_at !== null,
    }),
  );
  const published = nameRecords(world.core).map(({ name, addresses }) => ({ name, addresses }));
  const resolved = published.map(({ name }) => world.engine.controls.resolve(name));
  const ports = world.engine.controls.containers().map(({ tcpPorts }) => tcpPorts);
  return { rows, published, resolved, ports, ...(await world.atEngine()) };
}

taskMatrix('making a store', {
  kind: 'store.create',
  steps: ['image', 'volume', 'container', 'ready', 'publish'],
  // The network of the environment is there from the first one on.
  prepare: async () => {
    const world = await TaskWorld.make();
    await world.engine.ensureNetwork(networkName(DAVIT_ID, 1));
    return world;
  },
  ask: create,
  snapshot,
});

taskMatrix('stopping a store', {
  kind: 'store.stop',
  steps: ['record', 'stop'],
  prepare: made,
  ask: (world) => stopStore(world.core, world.ctx, files(world)),
  snapshot,
});

taskMatrix('starting a store that is stopped', {
  kind: 'store.start',
  steps: ['record', 'container', 'ready', 'publish'],
  prepare: () => then((world) => stopStore(world.core, world.ctx, files(world))),
  ask: (world) => startStore(world.core, world.ctx, files(world)),
  snapshot,
});

taskMatrix('opening a store to the world', {
  kind: 'store.expose',
  steps: ['port', 'container', 'ready', 'publish'],
  prepare: made,
  ask: (world) => exposeStore(world.core, world.ctx, files(world), { port: PORT }),
  snapshot,
});

taskMatrix('closing a store to the world', {
  kind: 'store.unexpose',
  steps: ['port', 'container', 'ready', 'publish'],
  prepare: () => then((world) => exposeStore(world.core, world.ctx, files(world), { port: PORT })),
  ask: (world) => unexposeStore(world.core, world.ctx, files(world)),
  snapshot,
});

taskMatrix('bringing a store back from the trash', {
  kind: 'store.restore',
  steps: ['container', 'ready', 'publish'],
  prepare: async () => {
    const world = await made();
    await deleteStore(world.core, world.ctx, files(world), 'files');
    const { signal } = new AbortController();
    const observed = await world.core.engine.observe(signal);
    await keepResident(STORE, world.core, files(world), { observed, mayHelp: true, signal });
    return world;
  },
  ask: (world) => restoreStore(world.core, world.ctx, files(world)),
  snapshot,
});
