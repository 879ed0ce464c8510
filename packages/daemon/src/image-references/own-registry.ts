/**
 * Recognizes all host names of the instance's registry. An image gets the same access checks under each of these names.
 */
import { canonicalReference, familiarReference, type ImageReference } from '@davit/api';
import { registryHost } from '../adapters/proxy/routes.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';

/**
 * Returns whether an image can be pulled from a registry by its recorded digest. If an image was built or loaded on the
 * server, the recorded digest is the Docker image id, which no registry knows.
 */
export function hasManifest({ digest, image_id }: { digest: string | null; image_id: string | null }): boolean {
  return digest !== null && digest !== image_id;
}

export type OwnRegistryFacts = Pick<InstanceFacts, 'ports' | 'domain'>;

/**
 * Returns the host and port from which Docker pulls images of the instance's registry. It is a loopback host, because
 * Docker needs no TLS for it.
 */
export function ownRegistryHost({ ports }: Pick<InstanceFacts, 'ports'>): string {
  return `localhost:${ports.registry}`;
}

/**
 * Returns whether a host is the registry of this instance. This is true for a loopback host with the registry port, and
 * for the public name of the registry. Other DNS names of this server are not recognized.
 * @param host normalized host
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
 * Returns whether an image comes from a registry on this server. Such an image has a loopback host, for example
 * `localhost`. The registry may belong to this instance or to another one, so the image may belong to any project.
 */
export function isOfLocalRegistry(facts: OwnRegistryFacts, image: string): boolean {
  return isLoopback(imageReference(facts, image)?.host.split(':')[0] ?? '');
}

/**
 * Parses an image name. Replaces every host name of the instance's registry with `localhost` and the registry port.
 * @returns `null` if the text is not an image name
 */
export function imageReference(facts: OwnRegistryFacts, text: string): ImageReference | null {
  const reference = canonicalReference(text);
  if (reference === null || !isOwnRegistryHost(facts, reference.host)) return reference;
  return { ...reference, host: ownRegistryHost(facts) };
}

/**
 * Replaces the repository in an image name with the app's own repository. An image can come from another app, and some
 * users may not see that app. Images from other registries keep their names.
 * @param app reference `project/environment/app` of the app
 * @param manifest digest that replaces the tag, or `null` to keep the tag
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
 * Returns whether an image name belongs to the repository of an app in the instance's registry. The port in the name is
 * ignored, because the registry may have had another port before.
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
