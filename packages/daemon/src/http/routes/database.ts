import { operations } from '@davit/api';
import {
  deleteDatabase,
  exposeDatabase,
  patchDatabase,
  restartDatabase,
  startDatabase,
  stopDatabase,
  unexposeDatabase,
} from '../../resources/databases/change.ts';
import { createDatabase } from '../../resources/databases/create.ts';
import { listDatabases, listEngines, readCredentials, readDatabase } from '../../resources/databases/database.ts';
import { addExtensions, rotatePassword } from '../../resources/databases/login.ts';
import { readDatabaseLogs, readDatabaseMetrics, textOfLines } from '../../resources/databases/logs-and-metrics.ts';
import { destroyDatabase, listTrashedDatabases, restoreDatabase } from '../../resources/databases/trash.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begunTasks } from './begun-task.ts';

export const databaseRoutes = (core: HttpDeps): Binding[] => {
  const begun = begunTasks(core);
  return [
    bind(operations.listDatabaseEngines, async ({ ctx, query }) => paged(await listEngines(core, ctx, query))),
    bind(operations.listDatabases, ({ ctx, query }) => paged(listDatabases(core, ctx, query))),
    bind(operations.createDatabase, async ({ ctx, query, body }) =>
      begun(ctx, await createDatabase(core, ctx, body), query),
    ),
    bind(operations.getDatabase, async ({ ctx, target, query }) =>
      ok(await readDatabase(core, ctx, target, query.sizes ?? false)),
    ),
    bind(operations.patchDatabase, async ({ ctx, target, body }) => ok(await patchDatabase(core, ctx, target, body))),
    bind(operations.deleteDatabase, ({ ctx, target, query }) => ok(deleteDatabase(core, ctx, target, query.confirm))),
    bind(operations.getDatabaseCredentials, async ({ target }) => ok(await readCredentials(core, target))),
    bind(operations.startDatabase, ({ ctx, target, query }) => begun(ctx, startDatabase(core, ctx, target), query)),
    bind(operations.stopDatabase, ({ ctx, target, query }) => begun(ctx, stopDatabase(core, ctx, target), query)),
    bind(operations.restartDatabase, ({ ctx, target, query }) => begun(ctx, restartDatabase(core, ctx, target), query)),
    bind(operations.exposeDatabase, async ({ ctx, target, query, body }) =>
      begun(ctx, await exposeDatabase(core, ctx, target, body), query),
    ),
    bind(operations.unexposeDatabase, ({ ctx, target, query }) =>
      begun(ctx, unexposeDatabase(core, ctx, target), query),
    ),
    bind(operations.rotateDatabasePassword, ({ ctx, target, query }) =>
      begun(ctx, rotatePassword(core, ctx, target), query),
    ),
    bind(operations.addDatabaseExtensions, ({ ctx, target, query, body }) =>
      begun(ctx, addExtensions(core, ctx, target, body), query),
    ),
    bind(operations.getDatabaseLogs, async ({ ctx, target, query }) => {
      const lines = await readDatabaseLogs(core, ctx, target, query.tail);
      return ok(query.format === 'json' ? lines : textOfLines(lines));
    }),
    bind(operations.getDatabaseMetrics, ({ ctx, target, query }) => ok(readDatabaseMetrics(core, ctx, target, query))),
    bind(operations.listTrashedDatabases, ({ ctx, query }) => paged(listTrashedDatabases(core, ctx, query))),
    bind(operations.restoreDatabase, ({ ctx, params, query, body }) =>
      begun(ctx, restoreDatabase(core, ctx, params.trashed, body), query),
    ),
    bind(operations.destroyDatabase, async ({ ctx, params, query }) => {
      await destroyDatabase(core, ctx, params.trashed, query.confirm);
      return noContent();
    }),
  ];
};
