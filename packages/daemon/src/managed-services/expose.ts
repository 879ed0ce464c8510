import type { TaskKind, TaskStep, TaskWork } from '../resources/tasks/kind.ts';
import { isCurrent, rowOf } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ResidentRow } from './resident.ts';
import { runningSteps, type TaskedResident } from './steps.ts';

export interface ExposingResident {
  /** The machine's; null: none any more. */
  port: number | null;
  /** What it was before. */
  before: number | null;
}

export function exposeKindOf<R extends ResidentRow, I, J extends I & ExposingResident, B extends ManagedServicesDeps>(
  kind: TaskedResident<R, I, B>,
  verb: 'expose' | 'unexpose',
): TaskKind<J, B> {
  const { newContainer, ready, published } = runningSteps(kind);

  function setPort({ core, input }: TaskWork<J, B>, port: number | null): void {
    core.store.tx((tx) => kind.change(tx, kind.idOf(input), { port }, { change: 'changed', at: core.now() }));
  }

  /** On record with the task already, so that nobody else gets the port; what is done here is the way back. */
  const port: TaskStep<J, B> = {
    name: 'port',
    run: async (work) => setPort(work, work.input.port),
    async undo(work) {
      setPort(work, work.input.before);
      kind.nudge(work.core);
    },
  };

  /** The port goes first, since what is undone last is the record of it, which the container is made by. */
  async function backToBefore(work: TaskWork<J, B>): Promise<void> {
    setPort(work, work.input.before);
    if (!isCurrent(kind, rowOf(kind, work.core, kind.idOf(work.input)))) await newContainer.undo(work);
  }

  return {
    kind: `${kind.noun}.${verb}`,
    // One that is stopped gets its container when it is started.
    steps({ core, input }) {
      const isRunning = rowOf(kind, core, kind.idOf(input)).wanted === 'running';
      return isRunning ? [port, { ...newContainer, undo: backToBefore }, ready, published] : [port];
    },
  };
}
