import { nameRecords } from '../app-spec/names.ts';
import type { TaskStep, TaskWork } from '../resources/tasks/kind.ts';
import { bringUp, isCurrent, rowOf, takeDown } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import { applyServiceLimits } from './limits.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';
import { settle, untilReady } from './ready.ts';

/** Task steps for managed services (databases and object stores). The task input contains the id of the service. */
export interface TaskedManagedService<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>
  extends ManagedService<R, B> {
  idOf(input: I): number;
  /** Starts the reconciler of managed services soon, without waiting for its next regular run. */
  nudge(base: B): void;
}

/** Number of the first container of a managed service. Each new container of the service gets a higher number. */
const FIRST = 1;

interface ContainerState {
  generation: number;
}

/**
 * Returns the number of the container that a task creates. The task saves the number, so that a step that runs again
 * after a crash uses the same number.
 */
export function generationOf<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
  { core, state, input }: TaskWork<I, B>,
): number {
  const { generation } = state.get<ContainerState>();
  if (generation !== undefined) return generation;
  const next = rowOf(kind, core, kind.idOf(input)).generation + 1;
  state.set({ generation: next } satisfies ContainerState);
  return next;
}

/** Steps that most tasks of databases and object stores have in common. */
export interface RunningSteps<I, B> {
  /** Step that replaces the container of a database or object store. The volume stays. */
  newContainer: TaskStep<I, B> & Required<Pick<TaskStep<I, B>, 'undo'>>;
  ready: TaskStep<I, B>;
  published: TaskStep<I, B>;
}

export function runningSteps<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): RunningSteps<I, B> {
  return {
    newContainer: {
      name: 'container',
      run: (work, signal) => bringUp(kind, work.core, kind.idOf(work.input), generationOf(kind, work), signal),
      // Replace the container with a new container that uses the current values of the database row.
      undo: (work) => bringUp(kind, work.core, kind.idOf(work.input), generationOf(kind, work) + 1),
    },
    ready: {
      name: 'ready',
      run: ({ core, input, limits }, signal) => untilReady(kind, core, kind.idOf(input), limits, signal),
    },
    published: { name: 'publish', run: ({ core, input }) => settle(kind, core, kind.idOf(input)) },
  };
}

/**
 * Returns the task steps that create a managed service, up to its first container. An undo of these steps loses no
 * data, because no app has used the service yet.
 */
export function firstSteps<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskStep<I, B>[] {
  return [
    {
      name: 'image',
      run: ({ core, input }, signal) => kind.ensureImage(core, rowOf(kind, core, kind.idOf(input)), signal),
    },
    {
      name: 'volume',
      run({ core, input }) {
        const row = rowOf(kind, core, kind.idOf(input));
        return core.engine.ensureVolume(row.volume, kind.reference(row), kind.label);
      },
      // Remove the volume only if the service is still being created. Later, the volume contains user data.
      async undo({ core, input }) {
        const row = kind.find(core.store, kind.idOf(input));
        if (row?.state === 'making') await core.engine.removeVolume(row.volume);
      },
    },
    {
      name: 'container',
      run: ({ core, input }, signal) => bringUp(kind, core, kind.idOf(input), FIRST, signal),
      undo: ({ core, input }) => removeServiceContainer(kind, core, kind.idOf(input)),
    },
  ];
}

/** Removes the container of a database or object store. Other containers can then use the container's IP address. */
export async function removeServiceContainer<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  core: B,
  id: number,
): Promise<void> {
  const row = kind.find(core.store, id);
  if (row === null) return;
  await takeDown(kind, core, row);
  core.store.tx((tx) => kind.change(tx, id, { address: null }));
}

/**
 * Returns the step that makes a new managed service available to apps. Its undo function sets the state `making`. With
 * this state, the undo function of the step `volume` removes the volume.
 */
export function firstPublished<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskStep<I, B> {
  return {
    ...runningSteps(kind).published,
    async undo({ core, input }) {
      core.store.tx((tx) => kind.change(tx, kind.idOf(input), { state: 'making' }));
      await core.engine.publishNames(nameRecords(core));
    },
  };
}

/**
 * Returns the task step that saves whether a database or object store should run. If the task fails, the undo function
 * saves the opposite value.
 */
export function wanting<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
  wanted: ManagedServiceRow['wanted'],
): TaskStep<I, B> {
  const mark = async ({ core, input }: TaskWork<I, B>, to: ManagedServiceRow['wanted']) =>
    core.store.tx((tx) =>
      kind.change(tx, kind.idOf(input), { wanted: to, reason: null }, { change: 'status', at: core.now() }),
    );
  return {
    name: 'record',
    run: (work) => mark(work, wanted),
    undo: (work) => mark(work, wanted === 'running' ? 'stopped' : 'running'),
  };
}

/**
 * Returns the task step that starts a stopped managed service. If the settings have changed, the step creates a new
 * container.
 */
export function started<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskStep<I, B> {
  return {
    name: 'container',
    async run(work, signal) {
      const row = rowOf(kind, work.core, kind.idOf(work.input));
      const isRight = work.state.get<ContainerState>().generation === undefined && isCurrent(kind, row);
      // Apply the limits again, because Docker may have rejected the limits earlier or may have been unavailable.
      if (isRight) await applyServiceLimits(kind, work.core, row.id, signal);
      await bringUp(kind, work.core, row.id, isRight ? row.generation : generationOf(kind, work), signal);
    },
    undo: ({ core, input }) => stop(kind, core, kind.idOf(input)),
  };
}

export function stopped<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskStep<I, B> {
  return {
    name: 'stop',
    async run({ core, input }) {
      const id = kind.idOf(input);
      await stop(kind, core, id);
      core.store.tx((tx) => kind.change(tx, id, { seen: 'down' }, { change: 'status' }));
      await core.engine.publishNames(nameRecords(core));
    },
    async undo({ core, input }) {
      const { container_id } = rowOf(kind, core, kind.idOf(input));
      if (container_id !== null) await core.engine.start(container_id);
      kind.nudge(core);
    },
  };
}

async function stop<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  core: B,
  id: number,
): Promise<void> {
  const row = rowOf(kind, core, id);
  if (row.container_id !== null) await core.engine.stop(row.container_id, kind.stop(row));
}
