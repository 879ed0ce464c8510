import { EngineRefused } from '../engine/engine.ts';
import type { Base } from '../release/base.ts';
import { expiredVolumes, forgetVolume } from '../store/volumes.ts';
import type { Task } from './reconciler.ts';

/**
 * Removes the volumes whose time in the trash is over. One that a container still uses is refused by the engine and
 * stays until nothing uses it; it keeps none of the others from going.
 */
export function trashTask({ engine, store, now }: Pick<Base, 'engine' | 'store' | 'now'>): Task {
  return {
    name: 'trash',
    everyMs: 10 * 60_000,
    async run(signal) {
      for (const row of expiredVolumes(store, now())) {
        if (signal.aborted) return undefined;
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
