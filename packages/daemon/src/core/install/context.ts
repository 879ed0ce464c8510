/** Who a task of an installation acts as: whoever asked for it, with what he was allowed when he did. */
import type { OpContext } from '../../context.ts';
import { taskById } from '../../store/task.ts';
import type { TaskWork } from '../../tasks/kind.ts';
import type { Core } from '../core.ts';

export type Work<I> = TaskWork<I, Core>;

export function contextOf({ core, taskId }: Work<unknown>, signal: AbortSignal = NEVER): OpContext {
  const row = taskById(core.store, taskId);
  const actor = {
    ...{ username: row?.asked_by ?? 'davit', via: row?.asked_via ?? ('api' as const) },
    ...{ role: 'admin' as const, projects: null, userId: null },
  };
  return { actor, requestId: `task-${taskId}`, log: core.log, signal };
}

const NEVER = new AbortController().signal;
