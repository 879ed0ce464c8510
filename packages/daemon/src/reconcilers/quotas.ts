import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { heldBy } from '../adapters/engine/names.ts';
import type { StorageUse } from '../adapters/engine/volume.ts';
import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { Reader } from '../db/store.ts';
import { appsOfProject } from '../db/tables/app.ts';
import { deploymentById } from '../db/tables/deployment.ts';
import { managedStoreByName } from '../db/tables/managed-store.ts';
import { projectBySlug } from '../db/tables/project.ts';
import { backupBytes, diskQuotas, setDiskUse, volumeNames } from '../db/tables/quota.ts';
import { appOfRelease } from '../db/tables/release.ts';
import { repositoryNames } from '../db/tables/repository.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

const EVERY_MS = 60_000;

/**
 * Factor for the pause after a measurement of disk usage. A measurement is slow, because it reads the size of every
 * file in every volume.
 */
const SHARE_OF_TIME = 10;

type Parts = Pick<ReconcilersDeps, 'engine' | 'registry' | 'store' | 'now' | 'running'>;

/**
 * Measures the disk usage of each project with a disk limit.
 * @param logBytes function that returns the size of an app's stored logs in bytes
 */
export function quotasTask(
  { engine, registry, store, now, running }: Parts,
  logBytes: (appId: number) => Promise<number>,
): Task {
  let notBefore = 0;
  return {
    name: 'quotas',
    everyMs: EVERY_MS,
    async run(signal) {
      const limited = diskQuotas(store);
      const begun = running();
      if (limited.length === 0 || begun < notBefore) return undefined;
      const use = await engine.storageUse(signal).catch(nullIfAway);
      notBefore = running() + Math.max(0, (running() - begun) * SHARE_OF_TIME - EVERY_MS);
      if (use === null) return undefined;
      const projectsOf = imageProjects(store, await engine.inspectHeld());
      for (const { project_id: id, slug } of limited) {
        const pushed = await registry.bytesOf(repositoryNames(store, id)).catch(nullIfAway);
        if (pushed === null) continue;
        const bytes =
          engineBytes(store, use, { id, slug }, projectsOf) +
          sum(await Promise.all(appsOfProject(store, id).map((app) => logBytes(app.id))));
        store.tx((tx) => setDiskUse(tx, { id, slug }, bytes + pushed + backupBytes(tx, id), now()));
      }
      return undefined;
    },
  };
}

/**
 * Returns `null` as the measured size if Docker or the registry is unavailable. The caller then keeps the previous
 * size.
 */
function nullIfAway(cause: unknown): null {
  if (cause instanceof EngineUnavailable || cause instanceof RegistryUnavailable) return null;
  throw cause;
}

/** Returns a map from Docker image id to the projects whose releases need the image. */
function imageProjects(db: Reader, held: readonly { tag: string; imageId: string }[]): Map<string, Set<number>> {
  const projects = new Map<string, Set<number>>();
  for (const { tag, imageId } of held) {
    const row = deploymentById(db, heldBy(tag));
    const app = row && appOfRelease(db, row.app_id);
    if (app !== undefined) projects.set(imageId, (projects.get(imageId) ?? new Set()).add(app.project.id));
  }
  return projects;
}

function engineBytes(
  db: Reader,
  { images, containers, volumes }: StorageUse,
  project: { id: number; slug: string },
  projectsOf: ReadonlyMap<string, ReadonlySet<number>>,
): number {
  /*
   * Releases of a project can share image layers. The disk contains a shared layer only once, so add its size only
   * once.
   */
  const layers = new Map<string, number>();
  for (const [imageId, of] of images) {
    if (projectsOf.get(imageId)?.has(project.id)) for (const { key, bytes } of of) layers.set(key, bytes);
  }
  const written = containers.filter(({ app }) => app !== null && projectOfReference(db, app) === project.id);
  return (
    sum(layers.values()) +
    sum(written.map(({ bytes }) => bytes)) +
    sum(volumeNames(db, project.id).map((name) => volumes.get(name) ?? 0))
  );
}

/**
 * Returns the id of the project that owns a container.
 * @param reference name of an object store, or `project/environment/name` of an app or database
 */
function projectOfReference(db: Reader, reference: string): number | undefined {
  const [first = '', ...rest] = reference.split('/');
  return rest.length === 0 ? managedStoreByName(db, first)?.project_id : projectBySlug(db, first)?.id;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
