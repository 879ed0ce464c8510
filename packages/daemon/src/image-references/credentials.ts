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

/** App and project for which an image is pulled. Both determine the registry credentials. */
export interface ImageOwner {
  appId: number | null;
  projectId: number | null;
}

export type PullingBase = Pick<ImageReferencesDeps, 'store' | 'sealer' | 'facts' | 'ownRegistryAuth'>;

/**
 * Returns the credentials for pulling an image. Returns `null` if there are no credentials.
 * @param owner app and project that pull the image
 * @throws EngineRefused if the stored password was changed outside Davit
 */
export function registryAuthFor(base: PullingBase, image: string, owner: ImageOwner): RegistryAuth | null {
  const { store, sealer, facts } = base;
  const host = imageReference(facts, image)?.host;
  if (host === undefined) return null;
  const { appId, projectId } = owner;
  // Each app has its own credentials for the instance's registry.
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
 * Selects the credentials for a registry. Credentials for one project have priority over credentials for all projects.
 * @param host normalized host name
 */
export function registryFor(
  rows: readonly RegistryRow[],
  host: string,
  projectId: number | null,
): RegistryRow | undefined {
  /*
   * A row may contain an older form of the host name. The host name in the row must not be updated, because the
   * encryption of the password depends on it.
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
 * Returns the additional authenticated data for the encryption of a registry password. If the encrypted password is
 * copied to another row, it cannot be decrypted.
 */
export function passwordLocation({
  id,
  host,
  all_projects,
}: Pick<RegistryRow, 'id' | 'host' | 'all_projects'>): string {
  return all_projects === 1 ? `registries/${host}/password` : `registries/${host}/${id}/password`;
}
