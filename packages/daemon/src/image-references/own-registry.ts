/** Names of the instance's registry. The authorization of an image is the same for each of these names. */
import { canonicalReference, familiarReference, type ImageReference } from '@davit/api';
import { registryHost } from '../adapters/proxy/routes.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';

/**
 * Returns whether the digest of an image comes from a registry, so that the image can be pulled by its digest. For an
 * image that was built or loaded at the engine, the digest is the image id.
 */
export function hasManifest({ digest, image_id }: { digest: string | null; image_id: string | null }): boolean {
  return digest !== null && digest !== image_id;
}

export type OwnRegistryFacts = Pick<InstanceFacts, 'ports' | 'domain'>;

/** Returns the host name under which the engine pulls from the instance's registry. This name needs no TLS. */
export function ownRegistryHost({ ports }: Pick<InstanceFacts, 'ports'>): string {
  return `localhost:${ports.registry}`;
}

/**
 * Returns whether a host is the instance's registry: a loopback address with its port, or its public name. Other names
 * that resolve to this server are not recognized.
 * @param host in canonical form
 */
export function isOwnRegistryHost({ ports, domain }: OwnRegistryFacts, host: string): boolean {
  const [name = '', port] = host.split(':');
  return isLoopback(name) ? port === String(ports.registry) : name === registryHost(domain);
}

/** Number of parts of the reference `project/environment/app`. */
const APP_PARTS = 3;

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.startsWith('127.');
}

/**
 * Returns whether an image has the name of a registry on this server. The registry is the instance's own, also with an
 * earlier port, or belongs to another instance at the engine. An image with such a name may belong to any project.
 */
export function isOfLocalRegistry(facts: OwnRegistryFacts, image: string): boolean {
  return isLoopback(imageReference(facts, image)?.host.split(':')[0] ?? '');
}

/**
 * Parses an image name. All hosts of the instance's registry become the same host.
 * @returns `null` if the text is not an image name
 */
export function imageReference(facts: OwnRegistryFacts, text: string): ImageReference | null {
  const reference = canonicalReference(text);
  if (reference === null || !isOwnRegistryHost(facts, reference.host)) return reference;
  return { ...reference, host: ownRegistryHost(facts) };
}

/**
 * Returns the name of an image in the app's own repository, if the image is in another app's repository of the
 * instance's registry. Otherwise returns its name unchanged. A promoted image has the name of the app to which it was
 * pushed, and some users of this app may not see that app.
 * @param app a reference, `project/environment/app`
 * @param manifest digest for the name, or `null` to use the tag
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
 * Returns whether a repository has the form of an app's repository in the instance's registry, which may have had
 * another port before.
 */
function isOfApp(facts: OwnRegistryFacts, { host, repository }: ImageReference): boolean {
  if (host === ownRegistryHost(facts)) return true;
  return isLoopback(host.split(':')[0] ?? '') && repository.split('/').length === APP_PARTS;
}

/**
 * Returns whether an image is in the app's own repository of the instance's registry.
 * @param app a reference, `project/environment/app`
 */
export function isInOwnRepository(facts: OwnRegistryFacts, app: string, image: string): boolean {
  const reference = imageReference(facts, image);
  return reference?.host === ownRegistryHost(facts) && reference.repository === app;
}

/** Returns whether an image is in the instance's registry, under any of its names. */
export function isOwnImage(facts: OwnRegistryFacts, image: string): boolean {
  return imageReference(facts, image)?.host === ownRegistryHost(facts);
}
