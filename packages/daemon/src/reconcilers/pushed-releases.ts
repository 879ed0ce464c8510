import { setImmediate as turn } from 'node:timers/promises';
import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import { appOfRelease, isAlive } from '../db/tables/release.ts';
import {
  forgetRelease,
  measureRelease,
  releaseTag,
  releaseTags,
  unmeasuredReleases,
} from '../db/tables/release-tag.ts';
import {
  allRepositories,
  forgetRepository,
  ownerOf,
  recordRepository,
  repositoryByName,
  type ShownRepository,
} from '../db/tables/repository.ts';
import type { Collections } from '../resources/registry/collections.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

type Parts = Pick<ReconcilersDeps, 'registry' | 'store' | 'now'>;

const SURVEY_MS = 30 * 60_000;
/**
 * Maximum number of images whose size one run of the reconciler reads from the registry. If there are more images, the
 * next run starts at once.
 */
const MEASURED_AT_ONCE = 100;
const AWAY_MS = 30_000;
/**
 * Minimum interval in milliseconds between two measurements of the registry's disk usage, because a measurement is
 * slow.
 */
const SIZE_MS = 60_000;
/**
 * Time in milliseconds for which Davit waits for the end of the first push to a repository. It is longer than the
 * lifetime of the registry token for the push.
 */
const PUSH_MS = 24 * 60 * 60_000;

/** Reconciler that updates the table `release_tags` from the instance's registry. */
export interface ReleaseWatch {
  task: Task;
  /**
   * Call this function if the releases of an app have changed. The next run then compares the app's repository with the
   * database.
   */
  changed(appId: number): void;
  /** Call this function after data was removed from the registry. The next run then checks all repositories. */
  changedAll(): void;
}

/**
 * Updates the table `release_tags` from the registry. Each run checks changed repositories. Every 30 minutes, a run
 * checks all repositories. Also measures the size of the registry, at most once per minute.
 */
export function watchPushedReleases(base: Parts, collector: Collections): ReleaseWatch {
  const changed = new Set<number>();
  let surveyedAt = Number.NEGATIVE_INFINITY;
  let sizedAt = Number.NEGATIVE_INFINITY;
  let isSizeOld = true;
  const surveyAgain = () => {
    surveyedAt = Number.NEGATIVE_INFINITY;
  };
  const pass = async (signal: AbortSignal): Promise<number> => {
    if (await measure(base)) return 0;
    for (const appId of changed) {
      isSizeOld = true;
      const app = isAlive(base.store, appId) ? appOfRelease(base.store, appId) : undefined;
      // The entry is removed before the check. Otherwise, a change during the check would be lost.
      changed.delete(appId);
      if (app !== undefined) await orElse(look(base, app.reference), () => changed.add(appId));
    }
    const now = base.now();
    if (now - surveyedAt >= SURVEY_MS || now < surveyedAt) {
      // The time is set before the survey. Otherwise, a call of `changedAll` during the survey would be lost.
      surveyedAt = now;
      isSizeOld = true;
      await orElse(survey(base, signal), surveyAgain);
    }
    /*
     * Measure the registry's size after a push. Otherwise, users would see the size before the push, which is 0 bytes
     * for the first push.
     */
    if (isSizeOld && (now - sizedAt >= SIZE_MS || now < sizedAt)) {
      collector.bytes = await base.registry.bytesOnDisk();
      sizedAt = now;
      isSizeOld = false;
    }
    const untilSurvey = Math.max(0, surveyedAt + SURVEY_MS - now);
    return isSizeOld ? Math.min(untilSurvey, sizedAt + SIZE_MS - now) : untilSurvey;
  };
  return {
    changed: (appId) => changed.add(appId),
    changedAll: surveyAgain,
    task: {
      name: 'releases',
      everyMs: SURVEY_MS,
      async run(signal) {
        try {
          return await pass(signal);
        } catch (error) {
          // Do not report this error. The registry's own reconciler already reports that the registry is unavailable.
          if (error instanceof RegistryUnavailable) return AWAY_MS;
          throw error;
        }
      },
    },
  };
}

/** Waits for `work`. Calls `undo` if `work` fails, and rethrows the error. */
async function orElse(work: Promise<void>, undo: () => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    undo();
    throw error;
  }
}

/**
 * Reads the sizes of new images from the registry.
 * @returns whether there may be more images whose size is unknown
 */
async function measure({ registry, store }: Parts): Promise<boolean> {
  const rows = unmeasuredReleases(store, MEASURED_AT_ONCE);
  for (const { id, app, app_id, tag, digest } of rows) {
    const manifest = await registry.manifest(app, digest);
    store.tx((tx) => {
      if (manifest !== null) measureRelease(tx, id, manifest);
      else if (releaseTag(tx, app_id, tag)?.id === id) forgetRelease(tx, app_id, tag);
    });
  }
  return rows.length === MEASURED_AT_ONCE;
}

async function survey(base: Parts, signal: AbortSignal): Promise<void> {
  const { registry, store } = base;
  const present = await registry.repositories();
  const isThere = new Set(present);
  const lost = allRepositories(store).filter(({ name, tags }) => tags > 0 && !isThere.has(name));
  for (const name of [...present, ...lost.map((row) => row.name)]) {
    if (signal.aborted) return;
    await look(base, name);
    await turn();
  }
  const isOver = ({ granted_at }: ShownRepository) => (granted_at ?? 0) < base.now() - PUSH_MS;
  const gone = allRepositories(store).filter((row) => !isThere.has(row.name) && isOver(row));
  if (gone.length === 0) return;
  store.tx((tx) => {
    for (const { name } of gone) forgetRepository(tx, name);
  });
}

/**
 * Compares a registry repository with the database. Reads the database before the registry. Otherwise, a tag that is
 * pushed between the two reads would seem to be deleted.
 */
async function look({ registry, store, now }: Parts, name: string): Promise<void> {
  const before = { ...(repositoryByName(store, name) ?? UNKNOWN), app_id: ownerOf(store, name) };
  const rows = before.app_id === null ? [] : releaseTags(store, before.app_id, Number.MAX_SAFE_INTEGER);
  const heads = new Set((await registry.heads(name)).map(({ tag }) => tag));
  const lost = rows.filter(({ tag }) => !heads.has(tag));
  const next = {
    name,
    tags: heads.size,
    bytes: await registry.bytesOf([name]),
    unowned_since: before.app_id === null ? (before.unowned_since ?? now()) : null,
  };
  const isSame =
    next.tags === before.tags && next.bytes === before.bytes && next.unowned_since === before.unowned_since;
  if (isSame && lost.length === 0) return;
  store.tx((tx) => {
    recordRepository(tx, next);
    for (const { id, app_id, tag } of lost) if (releaseTag(tx, app_id, tag)?.id === id) forgetRelease(tx, app_id, tag);
  });
}

const UNKNOWN = { tags: -1, bytes: null, unowned_since: null };
