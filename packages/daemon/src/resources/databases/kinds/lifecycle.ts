/** Kinds of tasks that create, start, stop, restart, expose or restore a database. */

import { moveBackups } from '../../../db/tables/backup.ts';
import { type DatabaseRow, databaseById } from '../../../db/tables/managed-database.ts';
import { type ExposingManagedService, exposeKindOf } from '../../../managed-services/expose.ts';
import {
  createKindOf,
  type RestoringManagedService,
  restoreKindOf,
  startKindOf,
  stopKindOf,
} from '../../../managed-services/kinds.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { OfDatabase } from '../base.ts';
import type { DatabasesDeps } from '../deps.ts';
import { DATABASE, RETURNING_DATABASE } from '../managed-service.ts';
import { newContainer, ownLogin, published, ready, setUp } from '../steps.ts';

type Kind<I extends OfDatabase = OfDatabase> = TaskKind<I, DatabasesDeps>;

export interface Exposing extends OfDatabase, ExposingManagedService {}

/**
 * Input of the task that restores a database from the trash. If the restore fails, the values in `trashed` are written
 * back to the database row.
 */
export interface Restoring extends OfDatabase {
  trashed: RestoringManagedService['trashed'] &
    Pick<DatabaseRow, 'name' | 'wanted' | 'project' | 'environment'> & {
      projectId: number;
      environmentId: number;
      /** Reason why the data is in the trash. Absent in tasks of earlier Davit versions. */
      reason?: string | null;
    };
}

export const createKind: Kind = createKindOf(DATABASE, [setUp]);
export const startKind: Kind = startKindOf(DATABASE);
export const stopKind: Kind = stopKindOf(DATABASE);
export const exposeKind: Kind<Exposing> = exposeKindOf(DATABASE, 'expose');
export const unexposeKind: Kind<Exposing> = exposeKindOf(DATABASE, 'unexpose');

export const restartKind: Kind = { kind: 'database.restart', steps: () => [newContainer, ready, published] };

const restoring: Kind<Restoring> = restoreKindOf(
  RETURNING_DATABASE,
  ({ trashed: { projectId, environmentId, ...was } }: Restoring) => ({
    ...{ name: was.name, wanted: was.wanted, project: was.project, environment: was.environment },
    ...{ project_id: projectId, environment_id: environmentId, reason: was.reason ?? null },
  }),
  [ownLogin],
);

export const restoreKind: Kind<Restoring> = {
  ...restoring,
  ended(tx, work, end) {
    restoring.ended?.(tx, work, end);
    const { database, trashed } = work.input;
    const row = databaseById(tx, database);
    if (end.status !== 'succeeded' || row?.project !== trashed.project) return;
    moveBackups(tx, row.id, { from: trashed.projectId, to: row.project_id });
  },
};
