/** Every kind of task on databases, at every step: done twice, failing, dying, cancelled. */
import { DatabaseCreate } from '@davit/api';
import {
  deleteDatabase,
  exposeDatabase,
  restartDatabase,
  startDatabase,
  stopDatabase,
  unexposeDatabase,
} from '../src/core/database-change.ts';
import { createDatabase } from '../src/core/database-create.ts';
import { restoreDatabase } from '../src/core/database-trash.ts';
import { networkName } from '../src/engine/names.ts';
import { nameRecords } from '../src/release/names.ts';
import { allDatabases, type DatabaseRow, databaseByReference } from '../src/store/managed-database.ts';
import { DAVIT_ID } from './support/simulated-core.ts';
import { taskMatrix } from './support/task-matrix.ts';
import { TaskWorld } from './support/task-world.ts';

const REFERENCE = 'shop/production/db';
const PORT = 15_432;

const create = (world: TaskWorld) =>
  createDatabase(world.core, world.ctx, DatabaseCreate.parse({ project: 'shop', name: 'db', engine: 'postgres' }));

function database(world: TaskWorld): DatabaseRow {
  const row = databaseByReference(world.core.store, REFERENCE);
  if (row === undefined) throw new Error('there is no database');
  return row;
}

async function made(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  await world.ended(await create(world));
  return world;
}

async function then(act: (world: TaskWorld) => number | Promise<number>): Promise<TaskWorld> {
  const world = await made();
  await world.ended(await act(world));
  return world;
}

/** What is on record of databases but for what differs from try to try, and what the engine has of them. */
async function snapshot(world: TaskWorld): Promise<object> {
  const rows = allDatabases(world.core.store).map(
    ({ name, wanted, state, observed, exposed_port, address, deleted_at, reason }) => ({
      ...{ name, wanted, state, observed, exposed_port, address, reason },
      isTrashed: deleted_at !== null,
    }),
  );
  const published = nameRecords(world.core).map(({ name, addresses }) => ({ name, addresses }));
  const resolved = published.map(({ name }) => world.engine.controls.resolve(name));
  const ports = world.engine.controls.containers().map(({ tcpPorts }) => tcpPorts);
  return { rows, published, resolved, ports, ...(await world.atEngine()) };
}

taskMatrix('making a database', {
  kind: 'database.create',
  steps: ['image', 'volume', 'container', 'ready', 'set-up', 'publish'],
  // The network of the environment is there from the first one on.
  prepare: async () => {
    const world = await TaskWorld.make();
    await world.engine.ensureNetwork(networkName(DAVIT_ID, 1));
    return world;
  },
  ask: create,
  snapshot,
});

taskMatrix('stopping a database', {
  kind: 'database.stop',
  steps: ['record', 'stop'],
  prepare: made,
  ask: (world) => stopDatabase(world.core, world.ctx, database(world)),
  snapshot,
});

taskMatrix('starting a database that is stopped', {
  kind: 'database.start',
  steps: ['record', 'container', 'ready', 'publish'],
  prepare: () => then((world) => stopDatabase(world.core, world.ctx, database(world))),
  ask: (world) => startDatabase(world.core, world.ctx, database(world)),
  snapshot,
});

taskMatrix('restarting a database', {
  kind: 'database.restart',
  steps: ['container', 'ready', 'publish'],
  prepare: made,
  ask: (world) => restartDatabase(world.core, world.ctx, database(world)),
  snapshot,
});

taskMatrix('opening a database to the world', {
  kind: 'database.expose',
  steps: ['port', 'container', 'ready', 'publish'],
  prepare: made,
  ask: (world) => exposeDatabase(world.core, world.ctx, database(world), { port: PORT }),
  snapshot,
});

taskMatrix('closing a database to the world', {
  kind: 'database.unexpose',
  steps: ['port', 'container', 'ready', 'publish'],
  prepare: () => then((world) => exposeDatabase(world.core, world.ctx, database(world), { port: PORT })),
  ask: (world) => unexposeDatabase(world.core, world.ctx, database(world)),
  snapshot,
});

taskMatrix('opening a database that is stopped', {
  kind: 'database.expose',
  steps: ['port'],
  prepare: () => then((world) => stopDatabase(world.core, world.ctx, database(world))),
  ask: (world) => exposeDatabase(world.core, world.ctx, database(world), { port: PORT }),
  snapshot,
});

taskMatrix('bringing a database back from the trash', {
  kind: 'database.restore',
  steps: ['container', 'ready', 'publish'],
  prepare: async () => {
    const world = await made();
    deleteDatabase(world.core, world.ctx, database(world), 'db');
    return world;
  },
  ask: (world) => restoreDatabase(world.core, world.ctx, '1'),
  snapshot,
});
