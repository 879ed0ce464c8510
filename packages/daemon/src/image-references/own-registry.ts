/**
 * Recognizes all host names of the instance's registry. The access checks for an image are the same for all of these
 * names.
 */
import { canonicalReference, familiarReference, type ImageReference } from '@davit/api';
import { registryHost } from '../adapters/proxy/routes.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';

/**
 * Returns whether Docker can pull an image by its recorded digest. If an image was built or loaded on the server, its
 * recorded digest is only the Docker image id.
 */
export function hasManifest({ digest, image_id }: { digest: string | null; image_id: string | null }): boolean {
  return digest !== null && digest !== image_id;
}

export type OwnRegistryFacts = Pick<InstanceFacts, 'ports' | 'domain'>;

/**
 * Returns the host and port from which Docker pulls images of the instance's registry. The host is a loopback address,
 * because Docker needs no TLS for loopback addresses.
 */
export function ownRegistryHost({ ports }: Pick<InstanceFacts, 'ports'>): string {
  return `localhost:${ports.registry}`;
}

/**
 * Returns whether a host is the instance's registry. The registry has a loopback host with the registry port, and a
 * public name. Other DNS names are not recognized.
 */
export function isOwnRegistryHost({ ports, domain }: OwnRegistryFacts, host: string): boolean {
  const [name = '', port] = host.split(':');
  return isLoopback(name) ? port === String(ports.registry) : name === registryHost(domain);
}

/** Number of slash-separated parts in `project/environment/app`. */
const APP_PARTS = 3;

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.startsWith('127.');
}

/**
 * Returns whether an image comes from a registry on this server. Another Davit instance may run that registry, so the
 * image may belong to any project.
 */
export function isOfLocalRegistry(facts: OwnRegistryFacts, image: string): boolean {
  return isLoopback(imageReference(facts, image)?.host.split(':')[0] ?? '');
}

/**
 * Parses an image name. Replaces each host name of the instance's registry with `localhost` and the registry port.
 * @returns `null` for an invalid name
 */
export function imageReference(facts: OwnRegistryFacts, text: string): ImageReference | null {
  const reference = canonicalReference(text);
  if (reference === null || !isOwnRegistryHost(facts, reference.host)) return reference;
  return { ...reference, host: ownRegistryHost(facts) };
}

/**
 * Replaces the repository of another app in an image name with the app's own repository. Some users may not see the
 * other app.
 * @param manifest digest that replaces the tag
 */
export function nameInOwnRepository(
  facts: OwnRegistryFacts,
  app: string,
  image: string,
  manifest: string | null,
): string {
  const reference = imageReference(facts, image);
  if (reference === null || !isOfApp(facts, reference) || reference.repository === app) return image;
  const named = { ...reference, host: ownRegistryHost(facts), repository: app };
  return familiarReference(manifest === null ? named : { ...named, tag: null, digest: manifest });
}

/**
 * Returns whether an image belongs to an app in the instance's registry. Any port is accepted, because the registry may
 * have had another port before.
 */
function isOfApp(facts: OwnRegistryFacts, { host, repository }: ImageReference): boolean {
  if (host === ownRegistryHost(facts)) return true;
  return isLoopback(host.split(':')[0] ?? '') && repository.split('/').length === APP_PARTS;
}

/**
 * Returns whether an image name belongs to the repository of this app in the instance's registry.
 * @param app `project/environment/app`
 */
export function isInOwnRepository(facts: OwnRegistryFacts, app: string, image: string): boolean {
  const reference = imageReference(facts, image);
  return reference?.host === ownRegistryHost(facts) && reference.repository === app;
}

/** Returns whether an image name belongs to the instance's registry, with any of its host names. */
export function isOwnImage(facts: OwnRegistryFacts, image: string): boolean {
  return imageReference(facts, image)?.host === ownRegistryHost(facts);
}
