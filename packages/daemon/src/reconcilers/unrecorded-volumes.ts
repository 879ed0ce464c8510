import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import type { Store } from '../db/store.ts';
import { openTasks } from '../db/tables/task.ts';
import { unrecordedImages } from '../db/tables/unrecorded-image.ts';
import { KEPT_DAYS } from '../resources/images/unrecorded.ts';
import { keepNumbersFree, unrecordedOf } from '../resources/volumes/unrecorded.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Reconciler that finds Docker volumes of this instance without a database row. It also returns the result of its last
 * run.
 */
export interface UnrecordedVolumes {
  task: Task;
  /**
   * Returns a warning for operators about Docker volumes without a row in the database. Returns `null` if there are no
   * such volumes.
   */
  problem(): string | null;
}

const EVERY_MS = 10 * 60_000;
const AWAY_MS = 10_000;
/**
 * Last sentence of the warnings about Docker volumes and images without a database row. It contains the command that
 * lists them.
 */
const WHERE = 'To list all orphaned (unrecorded) volumes and images, run `davit unrecorded list`.';

/**
 * Maximum number of volumes or images that a warning names. The daemon's log contains the names of all volumes without
 * a database row.
 */
const MOST_NAMED = 10;

/** Returns a warning about Docker images without a row in the database. Returns `null` if there are no such images. */
export function unrecordedImagesProblem(store: Store): string | null {
  const tags = unrecordedImages(store).map(({ tag }) => tag);
  if (tags.length === 0) return null;
  return `Docker has orphaned images, which the database of Davit does not list: ${listed(tags)}. Davit removes each image ${KEPT_DAYS} days after finding it. ${WHERE}`;
}

export function watchUnrecordedVolumes(
  base: Pick<ReconcilersDeps, 'store' | 'engine' | 'facts'>,
  log: Logger,
): UnrecordedVolumes {
  const { store, engine, facts } = base;
  let found: string[] = [];
  return {
    problem: () => (found.length === 0 ? null : sentence(found)),
    task: {
      name: 'orphaned volumes',
      everyMs: EVERY_MS,
      async run() {
        /*
         * During a task, do not search for volumes without a database row. A task may change Docker before the
         * database.
         */
        if (openTasks(store).length > 0) return AWAY_MS;
        try {
          const names = (await engine.volumes()).map(({ name }) => name);
          const now = unrecordedOf(store, facts.id, names)
            .map(({ name }) => name)
            .sort();
          if (now.length > 0 && now.join() !== found.join())
            log.warn({ volumes: now }, 'Docker has orphaned volumes, which are not in the database of Davit');
          keepNumbersFree(store, facts.id, now);
          found = now;
          return undefined;
        } catch (error) {
          if (error instanceof EngineUnavailable) return AWAY_MS;
          throw error;
        }
      },
    },
  };
}

function sentence(names: readonly string[]): string {
  return `Docker has orphaned volumes, which are not in the database of Davit: ${listed(names)}. ${WHERE} The page docs/how-to/recover-a-damaged-instance.md says what to do.`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}
