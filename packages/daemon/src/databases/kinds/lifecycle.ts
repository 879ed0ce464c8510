import { nameRecords } from '../../release/names.ts';
import { type DatabaseRow, setDatabase } from '../../store/managed-database.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { DatabaseBase } from '../base.ts';
import { bringUp, databaseRow, isCurrent, takeDown } from '../container.ts';
import { DIALECTS } from '../dialects/index.ts';
import { type DatabaseStep, generationOf, newContainer, type OfDatabase, published, ready } from '../steps.ts';

/** What it is to be from now on, with the way back. */
function wanting(wanted: 'running' | 'stopped'): DatabaseStep {
  const other = wanted === 'running' ? 'stopped' : 'running';
  return {
    name: 'record',
    run: async ({ core, input }) => mark(core, input.database, wanted),
    undo: async ({ core, input }) => mark(core, input.database, other),
  };
}

function mark({ store, now }: DatabaseBase, id: number, wanted: 'running' | 'stopped'): void {
  store.tx((tx) => setDatabase(tx, id, { wanted, reason: null }, { change: 'status', at: now() }));
}

/** Its own container where that is still right, else a new one. */
const started: DatabaseStep = {
  name: 'container',
  async run(work, signal) {
    const { core, input } = work;
    const row = databaseRow(core, input.database);
    const { generation } = work.state.get<{ generation: number }>();
    await bringUp(
      core,
      row.id,
      generation === undefined && isCurrent(row) ? row.generation : generationOf(work),
      signal,
    );
  },
  undo: ({ core, input }) => stopped(core, input.database),
};

async function stopped(core: DatabaseBase, id: number): Promise<void> {
  const row = databaseRow(core, id);
  if (row.container_id !== null) await core.engine.stop(row.container_id, DIALECTS[row.engine].stop);
}

const stop: DatabaseStep = {
  name: 'stop',
  async run({ core, input }) {
    await stopped(core, input.database);
    core.store.tx((tx) => setDatabase(tx, input.database, { observed: 'down' }, { change: 'status' }));
    await core.engine.publishNames(nameRecords(core));
  },
  async undo({ core, input }) {
    const { container_id } = databaseRow(core, input.database);
    if (container_id !== null) await core.engine.start(container_id);
    core.nudgeDatabases();
  },
};

export const startKind: TaskKind<OfDatabase, DatabaseBase> = {
  kind: 'database.start',
  steps: () => [wanting('running'), started, ready, published],
};

export const stopKind: TaskKind<OfDatabase, DatabaseBase> = {
  kind: 'database.stop',
  steps: () => [wanting('stopped'), stop],
};

export const restartKind: TaskKind<OfDatabase, DatabaseBase> = {
  kind: 'database.restart',
  steps: () => [newContainer, ready, published],
};

/** As long as one that could not be brought back stays in the trash at least. */
const AGAIN_MS = 86_400_000;

/** Of one that was in the trash: it is out of it already, with the task's record. */
export interface Restoring extends OfDatabase {
  /** What it goes back to when it does not start. */
  trashed: {
    name: string;
    environmentId: number;
    wanted: DatabaseRow['wanted'];
    deletedAt: number;
    expiresAt: number;
  };
}

export const restoreKind: TaskKind<Restoring, DatabaseBase> = {
  kind: 'database.restore',
  steps: () => [
    {
      ...newContainer,
      undo: async ({ core, input }) => {
        await takeDown(core, databaseRow(core, input.database));
        core.store.tx((tx) => setDatabase(tx, input.database, { address: null }));
      },
    },
    ready,
    published,
  ],
  ended(tx, { core, input }, { status }) {
    if (status === 'succeeded') return;
    const { name, environmentId, wanted, deletedAt, expiresAt } = input.trashed;
    // Who wanted it back is told that it did not start, and its data is not gone when he reads that.
    const expires_at = Math.max(expiresAt, core.now() + AGAIN_MS);
    const back = { name, environment_id: environmentId, wanted, deleted_at: deletedAt, expires_at };
    setDatabase(tx, input.database, { ...back, observed: 'down', reason: null }, { change: 'deleted' });
    core.nudgeDatabases();
  },
};
