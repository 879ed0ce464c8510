import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { cancelTask, listTasks, readTask } from '../../core/task.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';

export const taskRoutes = (core: Core): Binding[] => [
  bind(operations.listTasks, ({ ctx, query }) => paged(listTasks(core, ctx, query))),
  bind(operations.getTask, async ({ ctx, target, query }) =>
    ok(await readTask(core, ctx, target, query.wait ?? false)),
  ),
  bind(operations.cancelTask, async ({ ctx, target }) => ok(await cancelTask(core, ctx, target))),
];
