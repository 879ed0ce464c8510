/**
 * Selection of the credentials for a pull: credentials for the host of the registry, for the app and the project of the
 * image.
 */
import { canonicalRegistryHost } from '@davit/api';
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { RegistryAuth } from '../adapters/engine/image.ts';
import { SealBroken } from '../db/seal.ts';
import { listRegistries, projectsOfRegistry, type RegistryRow } from '../db/tables/registry.ts';
import type { ImageReferencesDeps } from './deps.ts';
import { imageReference, ownRegistryHost } from './own-registry.ts';

/** App and project for which an image is pulled. */
export interface ImageOwner {
  appId: number | null;
  projectId: number | null;
}

export type PullingBase = Pick<ImageReferencesDeps, 'store' | 'sealer' | 'facts' | 'ownRegistryAuth'>;

/**
 * Returns the credentials for an image's registry, or `null` if there are none. For the instance's registry they are
 * the app's own credentials, for other registries the stored ones.
 * @param image a reference, with or without tag and digest
 * @param owner app and project of the pull. Without an app, there are no credentials for the instance's registry.
 * Without a project, the credentials for all projects are used.
 * @throws EngineRefused with instructions, if the password was changed outside Davit
 */
export function registryAuthFor(base: PullingBase, image: string, owner: ImageOwner): RegistryAuth | null {
  const { store, sealer, facts } = base;
  const host = imageReference(facts, image)?.host;
  if (host === undefined) return null;
  const { appId, projectId } = owner;
  if (host === ownRegistryHost(facts)) return appId === null ? null : base.ownRegistryAuth(appId);
  const row = store.memo(`registry ${host} ${projectId}`, () => registryFor(listRegistries(store), host, projectId));
  if (row === undefined) return null;
  try {
    return { username: row.username, password: openPassword(sealer, row) };
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    const message = `The stored password for the registry ${host} cannot be decrypted, because it was changed outside Davit. Set it again (PATCH /api/registries/${row.id})`;
    throw new EngineRefused(message, { cause });
  }
}

/**
 * Returns the stored credentials of a host for a project: credentials of the project first, otherwise credentials for
 * all projects.
 * @param host host in canonical form. A row may contain an older spelling, which its encryption depends on.
 */
export function registryFor(
  rows: readonly RegistryRow[],
  host: string,
  projectId: number | null,
): RegistryRow | undefined {
  const ofHost = rows.filter((row) => row.host === host || canonicalRegistryHost(row.host) === host);
  return (
    ofHost.find((row) => projectId !== null && projectsOfRegistry(row)?.includes(projectId)) ??
    ofHost.find((row) => projectsOfRegistry(row) === null)
  );
}

/**
 * Decrypts a password.
 * @throws SealBroken if the password was changed or moved on disk
 */
export function openPassword(sealer: ImageReferencesDeps['sealer'], row: RegistryRow): string {
  return sealer.open(row.password, passwordPlace(row));
}

/**
 * Returns the place of a password for the encryption, see `Sealer`. A password that was moved to another row cannot be
 * decrypted.
 */
export function passwordPlace({ id, host, all_projects }: Pick<RegistryRow, 'id' | 'host' | 'all_projects'>): string {
  return all_projects === 1 ? `registries/${host}/password` : `registries/${host}/${id}/password`;
}
