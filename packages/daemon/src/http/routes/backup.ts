import { operations } from '@davit/api';
import { backUpDatabase, restoreBackup, verifyBackup } from '../../resources/backups/actions.ts';
import {
  deleteBackup,
  downloadBackup,
  listBackups,
  listDatabaseBackups,
  presentBackup,
} from '../../resources/backups/backup.ts';
import { cloneDatabase, restoreDatabaseTo, upgradeDatabase } from '../../resources/backups/copies.ts';
import { listBackupCoverage } from '../../resources/backups/coverage.ts';
import { putBackupSchedule, readBackupSchedule, removeBackupSchedule } from '../../resources/backups/schedule.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begunTasks } from './begun-task.ts';

export const backupRoutes = (core: HttpDeps): Binding[] => {
  const begun = begunTasks(core);
  return [
    bind(operations.listBackups, ({ ctx, query }) => paged(listBackups(core, ctx, query))),
    bind(operations.listBackupCoverage, ({ ctx, query }) => paged(listBackupCoverage(core, ctx, query))),
    bind(operations.getBackup, ({ target }) => ok(presentBackup(core.store, target))),
    bind(operations.restoreBackup, async ({ ctx, target, query, body }) =>
      begun(ctx, await restoreBackup(core, ctx, target, body), query),
    ),
    bind(operations.verifyBackup, async ({ ctx, target, query }) =>
      begun(ctx, await verifyBackup(core, { by: ctx.actor.username, via: ctx.actor.via }, target), query),
    ),
    bind(operations.downloadBackup, async ({ target }) => {
      const { name, body } = await downloadBackup(core, target);
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${name}"`,
      };
      return { status: 200, body, headers };
    }),
    bind(operations.deleteBackup, async ({ ctx, target, query }) => {
      await deleteBackup(core, ctx, target, query.confirm);
      return noContent();
    }),
    bind(operations.listDatabaseBackups, ({ ctx, target, query }) =>
      paged(listDatabaseBackups(core, ctx, target, query)),
    ),
    bind(operations.backUpDatabase, async ({ ctx, target, query, body }) =>
      begun(ctx, await backUpDatabase(core, ctx, target, body ?? {}), query),
    ),
    bind(operations.getBackupSchedule, ({ target }) => ok(readBackupSchedule(core.store, target))),
    bind(operations.putBackupSchedule, async ({ ctx, target, body }) =>
      ok(await putBackupSchedule(core, ctx, target, body)),
    ),
    bind(operations.removeBackupSchedule, ({ ctx, target }) => {
      removeBackupSchedule(core, ctx, target);
      return noContent();
    }),
    bind(operations.cloneDatabase, ({ ctx, target, query, body }) =>
      begun(ctx, cloneDatabase(core, ctx, target, body), query),
    ),
    bind(operations.restoreDatabaseTo, ({ ctx, target, query, body }) =>
      begun(ctx, restoreDatabaseTo(core, ctx, target, body), query),
    ),
    bind(operations.upgradeDatabase, async ({ ctx, target, query, body }) =>
      begun(ctx, await upgradeDatabase(core, ctx, target, body), query),
    ),
  ];
};
