/**
 * Docker volumes and images of this instance that have no row in the database. They exist if the data directory was
 * restored from an older copy.
 */
import { DavitError, timestamp, type Unrecorded, type UnrecordedAdopt, type Volume } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { Volume as EngineVolume } from '../../adapters/engine/volume.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { keepNumberFree, recordedVolumes, type VolumeKind } from '../../db/tables/engine-volume.ts';
import { projectBySlug } from '../../db/tables/project.ts';
import { openTasks } from '../../db/tables/task.ts';
import { forgetUnrecordedImage, unrecordedImages } from '../../db/tables/unrecorded-image.ts';
import { insertKeptVolume, volumeById } from '../../db/tables/volume.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { noteUnrecordedImages, unrecordedUntil } from '../images/unrecorded.ts';
import { presentVolume } from '../volumes/record.ts';
import { type NamedVolume, unrecordedOf } from '../volumes/unrecorded.ts';
import type { UnrecordedDeps } from './deps.ts';

type LostVolume = EngineVolume & NamedVolume;

const KINDS = { v: 'app_volume', db: 'database_volume', s3: 'object_store_volume' } as const satisfies Record<
  VolumeKind,
  Unrecorded['kind']
>;

/**
 * Returns Docker volumes and images of this instance that have no row in the database, sorted by name.
 * @throws DavitError forbidden; EngineUnavailable
 */
export async function listUnrecorded(
  core: UnrecordedDeps,
  { actor }: OpContext,
  query: PageQuery,
): Promise<Page<Unrecorded>> {
  demandAllProjects(actor, 'list orphaned volumes and images');
  const volumes = (await lostVolumes(core)).map(presentLostVolume);
  const all = [...volumes, ...(await lostImages(core))].sort((a, b) => (a.name < b.name ? -1 : 1));
  return pageOf(all, ({ name }) => name, query);
}

/**
 * Adds a Docker volume without a database row to a project. Does not change Docker.
 * @throws DavitError forbidden, not_found, conflict, quota_exceeded; EngineUnavailable
 */
export async function adoptUnrecorded(
  core: UnrecordedDeps,
  { actor }: OpContext,
  input: UnrecordedAdopt,
): Promise<Volume> {
  demandAllProjects(actor, 'assign an orphaned volume to a project');
  const { store } = core;
  const lost = (await lostVolumes(core)).find(({ name }) => name === input.name);
  if (lost === undefined) throw await missing(core, input.name);
  const row = store.tx((tx) => {
    demandUnrecorded(tx, lost.name);
    const project = projectBySlug(tx, input.project);
    if (project === undefined)
      throw new DavitError('not_found', `The project ${input.project} does not exist. Check its name.`);
    /*
     * Reserve the number in the name of the volume. Otherwise, a new volume could get this name after the row is
     * deleted.
     */
    keepNumberFree(tx, lost.kind, lost.number);
    const id = withinQuota(tx, project.id, () =>
      insertKeptVolume(tx, {
        project_id: project.id,
        app: lost.app ?? lost.name,
        name: lost.name,
        created_at: lost.createdAt?.getTime() ?? core.now(),
      }),
    );
    store.trail.about({ target: lost.name, projectId: project.id });
    return volumeById(tx, id);
  });
  core.nudgeUnrecorded();
  if (row === undefined) throw new Error(`${lost.name} is not in the database after it was added`);
  return presentVolume(row, undefined);
}

/**
 * Deletes a Docker volume or an image tag that has no row in the database.
 * @throws DavitError forbidden, invalid_input, not_found; conflict while in use; EngineUnavailable
 */
export async function deleteUnrecorded(
  core: UnrecordedDeps,
  { actor }: OpContext,
  { name, confirm }: { name: string; confirm: string },
): Promise<void> {
  demandAllProjects(actor, 'remove orphaned volumes and images');
  demandConfirm(confirm, name, 'volume or image');
  if ((await lostVolumes(core)).some((volume) => volume.name === name)) {
    demandUnrecorded(core.store, name);
    core.store.trail.about({ target: name });
    core.store.trail.demandRights();
    await orConflict(name, () => core.engine.removeVolume(name));
  } else {
    if (!(await lostImages(core)).some((image) => image.name === name)) throw notFound();
    core.store.trail.about({ target: name });
    core.store.trail.demandRights();
    await orConflict(name, () => core.engine.releaseImage(name));
    core.store.tx((tx) => forgetUnrecordedImage(tx, name));
  }
  core.nudgeUnrecorded();
}

async function lostVolumes({ engine, store, facts }: UnrecordedDeps): Promise<LostVolume[]> {
  const volumes = await engine.volumes();
  const named = unrecordedOf(
    store,
    facts.id,
    volumes.map(({ name }) => name),
  );
  const byName = new Map(named.map((one) => [one.name, one]));
  return volumes.flatMap((volume) => {
    const found = byName.get(volume.name);
    return found === undefined ? [] : [{ ...volume, ...found }];
  });
}

function presentLostVolume({ name, kind, app, createdAt }: LostVolume): Unrecorded {
  const created = timestamp(createdAt?.getTime() ?? null);
  return { name, kind: KINDS[kind], made_for: app, created_at: created, size_bytes: null, removed_at: null };
}

async function lostImages(core: UnrecordedDeps): Promise<Unrecorded[]> {
  const held = await core.engine.inspectHeld();
  noteUnrecordedImages(core, held);
  const found = new Map(unrecordedImages(core.store).map(({ tag, found_at }) => [tag, found_at]));
  return held.flatMap(({ tag, sizeBytes }) => {
    const at = found.get(tag);
    if (at === undefined) return [];
    // Format of an image tag: davit-<instance id>/<app>:<deployment id>
    const app = tag.slice(tag.indexOf('/') + 1, tag.lastIndexOf(':'));
    const until = timestamp(unrecordedUntil(at));
    return [
      { name: tag, kind: 'image', made_for: app, created_at: null, size_bytes: sizeBytes, removed_at: until } as const,
    ];
  });
}

/**
 * Checks that the database has no row for a volume and that no task is running. A running task may have created the
 * volume and may insert the row later.
 */
function demandUnrecorded(db: Reader, name: string): void {
  if (recordedVolumes(db).has(name)) throw notFound();
  if (openTasks(db).length > 0)
    throw new DavitError('conflict', 'A running task may still need this volume. Try again when all tasks have ended.');
}

async function missing(core: UnrecordedDeps, name: string): Promise<DavitError> {
  const isImage = (await lostImages(core)).some((image) => image.name === name);
  if (!isImage) return notFound();
  return new DavitError(
    'conflict',
    'You can assign only a volume to a project, not an image. If you need the image, deploy its release again; otherwise remove the image.',
  );
}

function notFound(): DavitError {
  return new DavitError(
    'not_found',
    'No orphaned volume or image has this name. To list all orphaned (unrecorded) volumes and images, send GET /api/unrecorded.',
  );
}

async function orConflict(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof EngineRefused)) throw cause;
    const message = `${name} cannot be removed while a container uses it. Remove that container first.`;
    throw new DavitError('conflict', message, { cause });
  }
}
