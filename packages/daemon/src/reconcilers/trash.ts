import { EngineRefused } from '../adapters/engine/errors.ts';
import { appsHolding } from '../db/tables/mount.ts';
import { expiredVolumes, forgetVolume } from '../db/tables/volume.ts';
import { followClock } from '../trash/term.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Deletes expired volumes in the trash. Skips volumes that a deployment will mount. Otherwise, Docker would create an
 * empty volume with the same name.
 */
export function trashTask(base: Pick<ReconcilersDeps, 'engine' | 'store' | 'now' | 'running'>): Task {
  const { engine, store, now } = base;
  return {
    name: 'trash',
    everyMs: 10 * 60_000,
    async run(signal) {
      store.tx((tx) => followClock(base, tx));
      for (const row of expiredVolumes(store, now())) {
        if (signal.aborted) return undefined;
        if (appsHolding(store, row.name).length > 0) continue;
        try {
          await engine.removeVolume(row.name);
        } catch (error) {
          if (!(error instanceof EngineRefused)) throw error;
          continue;
        }
        store.tx((tx) => forgetVolume(tx, row));
      }
      return undefined;
    },
  };
}
