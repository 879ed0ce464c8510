import type { TaskKind, TaskStep, TaskWork } from '../resources/tasks/kind.ts';
import { isCurrent, rowOf } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ResidentRow } from './resident.ts';
import { runningSteps, type TaskedResident } from './steps.ts';

export interface ExposingResident {
  /** Port of the server to publish, or `null` to close the port. */
  port: number | null;
  /** Port before the task, or `null` if there was none. */
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

  /** The request has already recorded the port, so that no other task takes it. This step exists for its undo. */
  const port: TaskStep<J, B> = {
    name: 'port',
    run: async (work) => setPort(work, work.input.port),
    async undo(work) {
      setPort(work, work.input.before);
      kind.nudge(work.core);
    },
  };

  /**
   * Restores the port before the container is made again. The container is made from the row, and the undo of the first
   * step runs last.
   */
  async function backToBefore(work: TaskWork<J, B>): Promise<void> {
    setPort(work, work.input.before);
    if (!isCurrent(kind, rowOf(kind, work.core, kind.idOf(work.input)))) await newContainer.undo(work);
  }

  return {
    kind: `${kind.subject}.${verb}`,
    // A stopped managed service gets its container at its next start.
    steps({ core, input }) {
      const isRunning = rowOf(kind, core, kind.idOf(input)).wanted === 'running';
      return isRunning ? [port, { ...newContainer, undo: backToBefore }, ready, published] : [port];
    },
  };
}
