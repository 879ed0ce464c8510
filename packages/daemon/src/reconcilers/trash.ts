import { EngineRefused } from '../adapters/engine/errors.ts';
import { appsHolding } from '../db/tables/mount.ts';
import { expiredVolumes, forgetVolume } from '../db/tables/volume.ts';
import { followClock } from '../trash/term.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Deletes the volumes whose retention time in the trash has ended. A volume that a container uses stays until no
 * container uses it. A volume that a deployment is about to mount stays too, because the engine would create it again,
 * empty. Such volumes do not block the deletion of the others.
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
