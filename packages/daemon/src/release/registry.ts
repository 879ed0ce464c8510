/** Which stored credentials an image is pulled with: those of its registry's host, whichever app asks. */
import { EngineRefused, type RegistryAuth } from '../engine/engine.ts';
import { type RegistryRow, registryByHost } from '../store/registry.ts';
import { SealBroken } from '../store/seal.ts';
import type { Base } from './base.ts';

/** The one that a reference without a host means, and the other names that it goes by. */
const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_ALIASES = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com', 'hub.docker.com'];

/**
 * The credentials that are stored for an image's registry; null when there are none.
 * @param image a reference, with or without tag and digest
 * @throws EngineRefused, with what to do, for a password that was changed outside Davit
 */
export function registryAuthFor({ store, sealer }: Pick<Base, 'store' | 'sealer'>, image: string): RegistryAuth | null {
  const host = registryHostOf(image);
  const row = store.memo(`registry ${host}`, () => registryByHost(store, host));
  if (row === undefined) return null;
  try {
    return { username: row.username, password: openPassword(sealer, row) };
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    const message = `The password for the registry ${host} cannot be opened, it was changed outside Davit: give it anew (PATCH /api/registries/${row.id})`;
    throw new EngineRefused(message, { cause });
  }
}

/** The normalized host of the registry that an image reference means. */
export function registryHostOf(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  // The rule of every engine: what has a dot or a port in it is a host, and anything else belongs to Docker Hub.
  const isHost = /[.:]/.test(first) || first === 'localhost';
  return isHost ? canonicalHost(first) : DOCKER_HUB;
}

/** One spelling for each registry: lower case, without the port that HTTPS has anyway, Docker Hub by its name. */
export function canonicalHost(host: string): string {
  const lower = host.toLowerCase().replace(/:443$/, '');
  return DOCKER_HUB_ALIASES.includes(lower) ? DOCKER_HUB : lower;
}

/** @throws SealBroken */
export function openPassword(sealer: Base['sealer'], { host, password }: RegistryRow): string {
  return sealer.open(password, passwordPlace(host));
}

/** Where a registry's password belongs, for its seal. */
export function passwordPlace(host: string): string {
  return `registries/${host}/password`;
}
