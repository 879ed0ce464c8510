/**
 * Selects the registry credentials for the pull of an image. The selection depends on the registry host, the app and
 * the project.
 */
import { canonicalRegistryHost } from '@davit/api';
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { RegistryAuth } from '../adapters/engine/image.ts';
import { SealBroken } from '../db/seal.ts';
import { listRegistries, projectsOfRegistry, type RegistryRow } from '../db/tables/registry.ts';
import type { ImageReferencesDeps } from './deps.ts';
import { imageReference, ownRegistryHost } from './own-registry.ts';

/** App and project for which an image is pulled. They determine the registry credentials. */
export interface ImageOwner {
  appId: number | null;
  projectId: number | null;
}

export type PullingBase = Pick<ImageReferencesDeps, 'store' | 'sealer' | 'facts' | 'ownRegistryAuth'>;

/**
 * Returns the credentials for pulling an image, or `null`.
 * @param owner app and project that pull the image
 * @throws EngineRefused if the stored password was changed outside Davit
 */
export function registryAuthFor(base: PullingBase, image: string, owner: ImageOwner): RegistryAuth | null {
  const { store, sealer, facts } = base;
  const host = imageReference(facts, image)?.host;
  if (host === undefined) return null;
  const { appId, projectId } = owner;
  // Each app has separate credentials for the instance's registry.
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
 * Selects the credentials for a registry. Credentials for one project take precedence over credentials for all
 * projects.
 * @param host normalized host name
 */
export function registryFor(
  rows: readonly RegistryRow[],
  host: string,
  projectId: number | null,
): RegistryRow | undefined {
  /*
   * A row may contain an older form of the host. Do not update the host, because the encryption of the password depends
   * on it.
   */
  const ofHost = rows.filter((row) => row.host === host || canonicalRegistryHost(row.host) === host);
  return (
    ofHost.find((row) => projectId !== null && projectsOfRegistry(row)?.includes(projectId)) ??
    ofHost.find((row) => projectsOfRegistry(row) === null)
  );
}

/**
 * Decrypts the password of stored registry credentials.
 * @throws SealBroken if the encrypted password was changed, or copied from another row
 */
export function openPassword(sealer: ImageReferencesDeps['sealer'], row: RegistryRow): string {
  return sealer.open(row.password, passwordLocation(row));
}

/**
 * Returns the additional authenticated data for the encryption of a registry password: a copy in another row cannot be
 * decrypted.
 */
export function passwordLocation({
  id,
  host,
  all_projects,
}: Pick<RegistryRow, 'id' | 'host' | 'all_projects'>): string {
  return all_projects === 1 ? `registries/${host}/password` : `registries/${host}/${id}/password`;
}
