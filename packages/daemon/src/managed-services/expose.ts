import type { TaskKind, TaskStep, TaskWork } from '../resources/tasks/kind.ts';
import { isCurrent, rowOf } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedServiceRow } from './managed-service.ts';
import { runningSteps, type TaskedManagedService } from './steps.ts';

export interface ExposingManagedService {
  /** TCP port of the server on which Docker publishes the service. `null` closes the published port. */
  port: number | null;
  /** TCP port that was published before this change, or `null` if no port was published. */
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
   * Saves the new port. The API request has already saved the port to reserve it. So this step is needed only for its
   * undo function.
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
   * Undo function of the step `newContainer`. It restores the previous port first, because the undo function of the
   * step `port` runs later.
   */
  async function backToBefore(work: TaskWork<J, B>): Promise<void> {
    setPort(work, work.input.before);
    if (!isCurrent(kind, rowOf(kind, work.core, kind.idOf(work.input)))) await newContainer.undo(work);
  }

  return {
    kind: `${kind.subject}.${verb}`,
    /*
     * A stopped database or object store needs no new container now. The next start creates a container with the
     * changed port.
     */
    steps({ core, input }) {
      const isRunning = rowOf(kind, core, kind.idOf(input)).wanted === 'running';
      return isRunning ? [port, { ...newContainer, undo: backToBefore }, ready, published] : [port];
    },
  };
}
