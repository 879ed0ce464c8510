import { setImmediate } from 'node:timers/promises';
import type { Reader } from '../db/store.ts';
import { allAppIds } from '../db/tables/app.ts';
import { deploymentById } from '../db/tables/deployment.ts';
import { deploymentsBeyond, forgetDeployments, hasOldRevisions, pruneRevisions } from '../db/tables/old-records.ts';
import { needsImage } from '../db/tables/release.ts';
import { whyNotDeletable } from '../resources/deployments/deletion.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Maximum number of deployments that one transaction deletes. The number is limited because API requests must wait for
 * the transaction.
 */
const FORGOTTEN_AT_ONCE = 200;

/**
 * Deletes old deployments and revisions of each app. Deployments that are live, in progress or needed for a rollback
 * stay.
 */
export function recordsTask(base: ReconcilersDeps): Task {
  return {
    name: 'records',
    everyMs: 10 * 60_000,
    async run(signal) {
      for (const appId of allAppIds(base.store)) {
        if (signal.aborted) return undefined;
        for (let after: number | null = 0; after !== null; after = forgetSome(base, appId, after)) await setImmediate();
        forgetRevisions(base, appId);
      }
      return undefined;
    },
  };
}

function forgetRevisions({ store, settings }: ReconcilersDeps, appId: number): void {
  const kept = settings().revisions.per_app;
  if (hasOldRevisions(store, appId, kept)) store.tx((tx) => pruneRevisions(tx, appId, kept));
}

/**
 * Checks some deployments of an app, oldest first, and deletes deployments that are not needed.
 * @returns id of the last checked deployment, or `null` at the end
 */
function forgetSome({ store, settings }: ReconcilersDeps, appId: number, after: number): number | null {
  const { deployments, images } = settings();
  const isSpare = (db: Reader, id: number) => {
    const row = deploymentById(db, id);
    return row !== undefined && whyNotDeletable(db, row) === null && !needsImage(db, id, images.keep);
  };
  const found = deploymentsBeyond(store, appId, deployments.per_app, { after, limit: FORGOTTEN_AT_ONCE });
  if (found.some((id) => isSpare(store, id))) {
    store.tx((tx) => {
      const spare = found.filter((id) => isSpare(tx, id));
      forgetDeployments(tx, appId, spare);
    });
  }
  return found.length === FORGOTTEN_AT_ONCE ? (found.at(-1) ?? null) : null;
}
