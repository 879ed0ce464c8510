/** Which credentials an image is pulled with: those of its registry's host for the app and the project that it is for. */
import { canonicalRegistryHost } from '@davit/api';
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { RegistryAuth } from '../adapters/engine/image.ts';
import { SealBroken } from '../db/seal.ts';
import { listRegistries, projectsOfRegistry, type RegistryRow } from '../db/tables/registry.ts';
import type { ImageReferencesDeps } from './deps.ts';
import { imageReference, ownRegistryHost } from './own-registry.ts';

/** What an image is pulled for. */
export interface ImageOwner {
  appId: number | null;
  projectId: number | null;
}

export type PullingBase = Pick<ImageReferencesDeps, 'store' | 'sealer' | 'facts' | 'ownRegistryAuth'>;

/**
 * The credentials for an image's registry: the app's own for the instance's registry, else those that are stored; `null`
 * for none.
 * @param image a reference, with or without tag and digest
 * @param owner what it is pulled for; without an app there are no rights in the instance's registry, without a project the
 * credentials for all projects are used
 * @throws EngineRefused, with what to do, for a password that was changed outside Davit
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
    const message = `The password for the registry ${host} cannot be opened, it was changed outside Davit: give it anew (PATCH /api/registries/${row.id})`;
    throw new EngineRefused(message, { cause });
  }
}

/**
 * The stored credentials of a host for a project: the project's own ones, else those for all projects.
 * @param host in canonical form; a row may have an older spelling, which its seal is bound to
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

/** @throws SealBroken */
export function openPassword(sealer: ImageReferencesDeps['sealer'], row: RegistryRow): string {
  return sealer.open(row.password, passwordPlace(row));
}

/** Where a password belongs, for its seal: one that was put into another row does not open. */
export function passwordPlace({ id, host, all_projects }: Pick<RegistryRow, 'id' | 'host' | 'all_projects'>): string {
  return all_projects === 1 ? `registries/${host}/password` : `registries/${host}/${id}/password`;
}
