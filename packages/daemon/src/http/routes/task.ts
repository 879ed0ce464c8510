import { operations } from '@davit/api';
import { cancelTask, listTasks, readTask } from '../../resources/tasks/task.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const taskRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listTasks, ({ ctx, query }) => paged(listTasks(core, ctx, query))),
  bind(operations.getTask, async ({ ctx, target, query }) =>
    ok(await readTask(core, ctx, target, query.wait ?? false)),
  ),
  bind(operations.cancelTask, async ({ ctx, target }) => ok(await cancelTask(core, ctx, target))),
];
