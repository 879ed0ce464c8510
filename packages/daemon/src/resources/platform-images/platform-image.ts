/**
 * API functions for the container images that this instance builds. They return the packages in the images, and start a
 * check for newer packages.
 */
import { type PlatformCheck, type PlatformImage, timestamp } from '@davit/api';
import type { PlatformImageRecord } from '../../adapters/engine/platform-images.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, sees } from '../../authorization/lookup.ts';
import { databaseReference } from '../../db/tables/managed-database.ts';
import { type OutdatedDatabase, outdatedDatabases, updateNext } from './databases.ts';
import type { PlatformImagesDeps } from './deps.ts';
import { changesBetween, platformWarnings } from './warnings.ts';
import { isInWindow } from './window.ts';

/**
 * Starts a check for newer packages. Does nothing if a check is already running.
 * @throws DavitError forbidden for a user who is limited to some projects
 */
export function checkPlatformImages(core: PlatformImagesDeps, { actor }: OpContext): PlatformCheck {
  demandAllProjects(actor, 'check for security updates');
  core.store.trail.apart(() => void core.platform.check());
  return readPlatformCheck(core);
}

export function readPlatformCheck({ platform, settings }: PlatformImagesDeps): PlatformCheck {
  const { running, checkedAt, failure } = platform.state();
  return {
    enabled: settings().platform_images.check,
    running,
    checked_at: checkedAt === null ? null : timestamp(checkedAt),
    failure: failure === null ? null : { code: failure.code, at: timestamp(failure.at) },
  };
}

/**
 * Returns the images that this instance builds. For each image, lists the databases that run an older image and that
 * the user can see.
 */
export function listPlatformImages(core: PlatformImagesDeps, { actor }: OpContext): PlatformImage[] {
  const records = core.platform.records();
  const outdated = outdatedDatabases(core, records);
  return records.map((record) => ({
    name: record.name,
    image_id: record.imageId,
    packages: record.packages,
    built_at: timestamp(record.builtAt),
    checked_at: record.checkedAt === null ? null : timestamp(record.checkedAt),
    update: updateOf(
      record,
      outdated.filter(({ row }) => row.engine === record.name && sees(actor, row.project_id)),
    ),
  }));
}

/**
 * Returns warnings about the images that this instance builds, and about databases with an outdated image.
 * @param projects ids of the databases' projects, or `null` for all
 */
export function warningsOfPlatform(core: PlatformImagesDeps, projects: readonly number[] | null): string[] {
  const { platform, settings, now, running } = core;
  const { check, ...window } = settings().platform_images;
  const records = platform.records();
  const outdated = outdatedDatabases(core, records).filter(({ row }) => sees({ projects }, row.project_id));
  const startedAt = now() - running();
  const sight = { records, check: platform.state(), isEnabled: check, outdated, window, startedAt, now: now() };
  return platformWarnings(sight);
}

/** Checks for newer packages and rebuilds images. In the maintenance window, also starts the update of one database. */
export async function keepPlatform(core: PlatformImagesDeps): Promise<void> {
  await core.platform.pass();
  if (isInWindow(core.settings().platform_images, core.now())) updateNext(core, core.platform.records());
}

function updateOf(record: PlatformImageRecord, waiting: readonly OutdatedDatabase[]): PlatformImage['update'] {
  const { packages, available, previous, keptBack } = record;
  if (previous !== null)
    return { state: 'rolling_out', packages: changesBetween(previous.packages, packages), databases: [] };
  if (available.length > 0) return { state: 'building', packages: available, databases: [] };
  if (waiting.length > 0) {
    return { state: 'waiting', packages: [], databases: waiting.map(({ row }) => databaseReference(row)) };
  }
  if (keptBack === null) return null;
  return { state: 'kept_back', packages: changesBetween(packages, keptBack.packages), databases: [] };
}
