import type { TaskKind, TaskStep } from '../resources/tasks/kind.ts';
import { termAgain } from '../trash/term.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedServiceChange, ManagedServiceRow } from './managed-service.ts';
import {
  firstPublished,
  firstSteps,
  removeServiceContainer,
  runningSteps,
  started,
  stopped,
  type TaskedManagedService,
  wanting,
} from './steps.ts';

/**
 * Returns the task that creates a managed service.
 * @param further additional task steps. They run after the server responds and before apps can connect.
 */
export function createKindOf<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
  further: readonly TaskStep<I, B>[] = [],
): TaskKind<I, B> {
  return {
    kind: `${kind.subject}.create`,
    steps: () => [...firstSteps(kind), runningSteps(kind).ready, ...further, firstPublished(kind)],
    ended(tx, { core, input }, { status, clean }) {
      const row = kind.find(tx, kind.idOf(input));
      if (status === 'succeeded' || row === null) return;
      if (clean) return kind.forget(tx, row);
      // A reconciler removes the container and the volume of the failed service, and then its row in the database.
      kind.change(tx, row.id, { state: 'failed' }, { change: 'status' });
      kind.nudge(core);
    },
  };
}

export function startKindOf<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskKind<I, B> {
  const { ready, published } = runningSteps(kind);
  return { kind: `${kind.subject}.start`, steps: () => [wanting(kind, 'running'), started(kind), ready, published] };
}

export function stopKindOf<R extends ManagedServiceRow, I, B extends ManagedServicesDeps>(
  kind: TaskedManagedService<R, I, B>,
): TaskKind<I, B> {
  return { kind: `${kind.subject}.stop`, steps: () => [wanting(kind, 'stopped'), stopped(kind)] };
}

/**
 * Input of the task that restores a managed service from the trash. The API request has already cleared the column
 * `deleted_at`.
 */
export interface RestoringManagedService {
  /**
   * Deletion time and planned removal time from before the restore. If the restore fails, Davit sets both times again
   * and moves the service back to the trash.
   */
  trashed: { deletedAt: number; expiresAt: number };
}

/**
 * Returns the task that restores a managed service from the trash.
 * @param before additional column values that Davit restores if the task fails
 * @param further additional task steps. They run before apps can connect.
 */
export function restoreKindOf<
  R extends ManagedServiceRow,
  I,
  J extends I & RestoringManagedService,
  B extends ManagedServicesDeps,
>(
  kind: TaskedManagedService<R, I, B>,
  before: (input: J) => ManagedServiceChange = () => ({}),
  further: readonly TaskStep<I, B>[] = [],
): TaskKind<J, B> {
  const { newContainer, ready, published } = runningSteps(kind);
  const container = {
    ...newContainer,
    undo: ({ core, input }) => removeServiceContainer(kind, core, kind.idOf(input)),
  } satisfies TaskStep<I, B>;
  return {
    kind: `${kind.subject}.restore`,
    steps: () => [container, ready, ...further, published],
    ended(tx, { core, input }, { status }) {
      if (status === 'succeeded') return;
      const { deletedAt: deleted_at, expiresAt } = input.trashed;
      const expires_at = termAgain(core, expiresAt);
      const back = { reason: null, ...before(input), deleted_at, expires_at, seen: 'down' } as const;
      kind.change(tx, kind.idOf(input), back, { change: 'deleted' });
      kind.nudge(core);
    },
  };
}
