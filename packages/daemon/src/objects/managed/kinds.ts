/** What takes a while with a store that the instance runs, as recorded steps. */
import type { Base } from '../../release/base.ts';
import { nameRecords } from '../../release/names.ts';
import { managedStoreById, setManagedStore } from '../../store/managed-store.ts';
import { deleteStoreRow } from '../../store/object-store.ts';
import type { TaskKind, TaskStep, TaskWork } from '../../tasks/kind.ts';
import { bringUp, isCurrent, STORE_STOP, storeRow, takeDown } from './container.ts';
import { ensureImage } from './image.ts';
import { settle, untilReady } from './ready.ts';

export interface StoreBase extends Base {
  /** Asks for stores to be looked after soon. */
  nudgeStores: () => void;
}

export interface OfStore {
  /** Its number. */
  store: number;
}

type Work<I extends OfStore = OfStore> = TaskWork<I, StoreBase>;
type Step<I extends OfStore = OfStore> = TaskStep<I, StoreBase>;

const image: Step = {
  name: 'image',
  run: ({ core, input }, signal) => ensureImage(core, storeRow(core, input.store), signal),
};

const volume: Step = {
  name: 'volume',
  run({ core, input }) {
    const row = storeRow(core, input.store);
    return core.engine.ensureVolume(row.volume, row.name, 'store');
  },
  // Nobody had anything in it: only the making of a store is undone like this.
  async undo({ core, input }) {
    const row = managedStoreById(core.store, input.store);
    if (row?.state === 'making') await core.engine.removeVolume(row.volume);
  },
};

/** The container that this task makes, whoever asks: chosen once. */
function generationOf({ core, state, input }: Work): number {
  const { generation } = state.get<{ generation: number }>();
  if (generation !== undefined) return generation;
  const next = storeRow(core, input.store).generation + 1;
  state.set({ generation: next });
  return next;
}

const container: Step = {
  name: 'container',
  run: (work, signal) => bringUp(work.core, work.input.store, generationOf(work), signal),
  async undo({ core, input }) {
    const row = managedStoreById(core.store, input.store);
    if (row === null) return;
    await takeDown(core, row);
    core.store.tx((tx) => setManagedStore(tx, row.id, { address: null }));
  },
};

const ready: Step = {
  name: 'ready',
  run: ({ core, input, limits }, signal) => untilReady(core, input.store, limits, signal),
};

const published: Step = { name: 'publish', run: ({ core, input }) => settle(core, input.store) };

/** Of one that was never used: it is unmade as one that was not made yet. */
const firstPublished: Step = {
  ...published,
  async undo({ core, input }) {
    core.store.tx((tx) => setManagedStore(tx, input.store, { state: 'making' }));
    await core.engine.publishNames(nameRecords(core));
  },
};

export const createStoreKind: TaskKind<OfStore, StoreBase> = {
  kind: 'store.create',
  steps: () => [image, volume, container, ready, firstPublished],
  ended(tx, { core, input }, { status, clean }) {
    const row = managedStoreById(tx, input.store);
    if (status === 'succeeded' || row === null) return;
    if (clean) return deleteStoreRow(tx, row);
    // The reconciler removes what is left, and then the record.
    setManagedStore(tx, row.id, { state: 'failed' }, { change: 'status' });
    core.nudgeStores();
  },
};

function mark({ store, now }: StoreBase, id: number, wanted: 'running' | 'stopped'): void {
  store.tx((tx) => setManagedStore(tx, id, { wanted, reason: null }, { change: 'status', at: now() }));
}

/** What it is to be from now on, with the way back. */
function wanting(wanted: 'running' | 'stopped'): Step {
  const other = wanted === 'running' ? 'stopped' : 'running';
  return {
    name: 'record',
    run: async ({ core, input }) => mark(core, input.store, wanted),
    undo: async ({ core, input }) => mark(core, input.store, other),
  };
}

/** Its own container where that is still right, else a new one. */
const started: Step = {
  name: 'container',
  async run(work, signal) {
    const row = storeRow(work.core, work.input.store);
    const { generation } = work.state.get<{ generation: number }>();
    const isRight = generation === undefined && isCurrent(row);
    await bringUp(work.core, row.id, isRight ? row.generation : generationOf(work), signal);
  },
  undo: ({ core, input }) => stopped(core, input.store),
};

async function stopped(core: StoreBase, id: number): Promise<void> {
  const { container_id } = storeRow(core, id);
  if (container_id !== null) await core.engine.stop(container_id, STORE_STOP);
}

const stop: Step = {
  name: 'stop',
  async run({ core, input }) {
    await stopped(core, input.store);
    core.store.tx((tx) => setManagedStore(tx, input.store, { observed: 'down' }, { change: 'status' }));
    await core.engine.publishNames(nameRecords(core));
  },
  async undo({ core, input }) {
    const { container_id } = storeRow(core, input.store);
    if (container_id !== null) await core.engine.start(container_id);
    core.nudgeStores();
  },
};

export const startStoreKind: TaskKind<OfStore, StoreBase> = {
  kind: 'store.start',
  steps: () => [wanting('running'), image, started, ready, published],
};

export const stopStoreKind: TaskKind<OfStore, StoreBase> = {
  kind: 'store.stop',
  steps: () => [wanting('stopped'), stop],
};

/** Of one that was in the trash: it is out of it already, with the task's record. */
export interface RestoringStore extends OfStore {
  /** What it goes back to when it does not start. */
  trashed: { deletedAt: number; expiresAt: number };
}

/** As long as one that could not be brought back stays in the trash at least. */
const AGAIN_MS = 86_400_000;

export const restoreStoreKind: TaskKind<RestoringStore, StoreBase> = {
  kind: 'store.restore',
  steps: () => [image, container, ready, published],
  ended(tx, { core, input }, { status }) {
    if (status === 'succeeded') return;
    const { deletedAt: deleted_at, expiresAt } = input.trashed;
    // Who wanted it back is told that it did not start, and its objects are not gone when he reads that.
    const expires_at = Math.max(expiresAt, core.now() + AGAIN_MS);
    setManagedStore(tx, input.store, { deleted_at, expires_at, observed: 'down' }, { change: 'deleted' });
    core.nudgeStores();
  },
};

export interface ExposingStore extends OfStore {
  /** The machine's; null: none any more. */
  port: number | null;
  /** What it was before. */
  before: number | null;
}

function setPort({ core, input }: Work<ExposingStore>, port: number | null): void {
  core.store.tx((tx) => setManagedStore(tx, input.store, { port }, { change: 'changed', at: core.now() }));
}

/** On record with the task already, so that nobody else gets the port; what is done here is the way back. */
const exposing: Step<ExposingStore> = {
  name: 'port',
  run: async (work) => setPort(work, work.input.port),
  async undo(work) {
    setPort(work, work.input.before);
    work.core.nudgeStores();
  },
};

/** One that is stopped gets its container when it is started. */
function exposeSteps({ core, input }: Work<ExposingStore>): Step<ExposingStore>[] {
  const isRunning = storeRow(core, input.store).wanted === 'running';
  return isRunning ? [exposing, { ...container, undo: backToBefore }, ready, published] : [exposing];
}

/** The port goes first, since what is undone last is the record of it, which the container is made by. */
async function backToBefore(work: Work<ExposingStore>): Promise<void> {
  setPort(work, work.input.before);
  if (!isCurrent(storeRow(work.core, work.input.store)))
    await bringUp(work.core, work.input.store, generationOf(work) + 1);
}

export const exposeStoreKind: TaskKind<ExposingStore, StoreBase> = { kind: 'store.expose', steps: exposeSteps };
export const unexposeStoreKind: TaskKind<ExposingStore, StoreBase> = { kind: 'store.unexpose', steps: exposeSteps };
