import { nameRecords } from '../app-spec/names.ts';
import type { TaskStep, TaskWork } from '../resources/tasks/kind.ts';
import { bringUp, isCurrent, rowOf, takeDown } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import { applyServiceLimits } from './limits.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';
import { settle, untilReady } from './ready.ts';

/** Operations on a managed service, for tasks whose input names the service. */
export interface TaskedManagedService<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>
  extends ManagedService<R, B> {
  idOf(input: I): number;
  /** Starts a pass of the reconciler of managed services soon. */
  nudge(base: B): void;
}

/** Generation number of the first container. */
const FIRST = 1;

interface ContainerState {
  generation: number;
}

/**
 * Returns the generation number of the container that a task creates. The first call selects the number and stores it
 * in the task's state. A repeated step therefore uses the same number.
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

/** Steps that most tasks of managed services have in common. */
export interface RunningSteps<I, B> {
  /** Step that replaces the container of a managed service. The data stays. */
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
      // The undo creates another container from the restored row, with the next generation number.
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
 * Returns the steps that create a managed service up to its first container. Their undo removes everything, because no
 * app has used the service yet.
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
      // The volume may be removed only while the service is being created. Otherwise, it contains data.
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

/** Removes the container of a managed service and frees its IP address. */
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
 * Returns the step that publishes a new managed service to apps. The undo removes its DNS name and sets the state
 * `making`. Because of this state, the undo of the step `volume` removes the data.
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

/** Returns the step that records whether a managed service should run. The undo records the opposite. */
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
 * Returns the step that starts the container of a stopped managed service. Creates a new container if the old one does
 * not match the row.
 */
export function started<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskStep<I, B> {
  return {
    name: 'container',
    async run(work, signal) {
      const row = rowOf(kind, work.core, kind.idOf(work.input));
      const isRight = work.state.get<ContainerState>().generation === undefined && isCurrent(kind, row);
      // The engine may have refused new limits while the container ran, or may have been unavailable.
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
