/** Which stored credentials an image is pulled with: those of its registry's host, whichever app asks. */
import { EngineRefused } from '../engine/errors.ts';
import type { RegistryAuth } from '../engine/image.ts';
import { type RegistryRow, registryByHost } from '../store/registry.ts';
import { SealBroken } from '../store/seal.ts';
import type { Base, InstanceFacts } from './base.ts';

/** The one that a reference without a host means, and the other names that it goes by. */
const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_ALIASES = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com', 'hub.docker.com'];

export type PullingBase = Pick<Base, 'store' | 'sealer' | 'facts' | 'ownRegistryAuth'>;

/** The host under which the engine pulls from the instance's own registry: the one that needs no TLS. */
export function ownRegistryHost({ ports }: Pick<InstanceFacts, 'ports'>): string {
  return `localhost:${ports.registry}`;
}

/** Whether an image reference means the instance's own registry. */
export function isOwnImage(facts: Pick<InstanceFacts, 'ports'>, image: string): boolean {
  return image.startsWith(`${ownRegistryHost(facts)}/`);
}

/**
 * The credentials for an image's registry: the instance's own for its own one, else those that are stored; null for none.
 * @param image a reference, with or without tag and digest
 * @throws EngineRefused, with what to do, for a password that was changed outside Davit
 */
export function registryAuthFor(base: PullingBase, image: string): RegistryAuth | null {
  const { store, sealer, facts } = base;
  const host = registryHostOf(image);
  if (host === ownRegistryHost(facts)) return base.ownRegistryAuth();
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
