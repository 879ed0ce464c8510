import type { TaskKind, TaskStep, TaskWork } from '../resources/tasks/kind.ts';
import { isCurrent, rowOf } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedServiceRow } from './managed-service.ts';
import { runningSteps, type TaskedManagedService } from './steps.ts';

export interface ExposingManagedService {
  /** TCP port of the server on which Docker publishes the service. `null` closes the published port. */
  port: number | null;
  /** Published TCP port before the task, or `null` if no port was published. */
  before: number | null;
}

export function exposeKindOf<
  R extends ManagedServiceRow,
  I,
  J extends I & ExposingManagedService,
  B extends ManagedServicesDeps,
>(kind: TaskedManagedService<R, I, B>, verb: 'expose' | 'unexpose'): TaskKind<J, B> {
  const { newContainer, ready, published } = runningSteps(kind);

  function setPort({ core, input }: TaskWork<J, B>, port: number | null): void {
    core.store.tx((tx) => kind.change(tx, kind.idOf(input), { port }, { change: 'changed', at: core.now() }));
  }

  /**
   * The API request has already stored the port in the row, so that no other task can use the port. This step is only
   * needed for its undo, which restores the previous port.
   */
  const port: TaskStep<J, B> = {
    name: 'port',
    run: async (work) => setPort(work, work.input.port),
    async undo(work) {
      setPort(work, work.input.before);
      kind.nudge(work.core);
    },
  };

  /**
   * Restores the previous port in the row, and then creates the container again from the row. The undo of the step
   * `port` cannot do this, because it runs last.
   */
  async function backToBefore(work: TaskWork<J, B>): Promise<void> {
    setPort(work, work.input.before);
    if (!isCurrent(kind, rowOf(kind, work.core, kind.idOf(work.input)))) await newContainer.undo(work);
  }

  return {
    kind: `${kind.subject}.${verb}`,
    // A stopped database or object store gets a container with the new port at its next start.
    steps({ core, input }) {
      const isRunning = rowOf(kind, core, kind.idOf(input)).wanted === 'running';
      return isRunning ? [port, { ...newContainer, undo: backToBefore }, ready, published] : [port];
    },
  };
}
