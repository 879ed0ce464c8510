/** The names of the instance's own registry. An image of it is authorised for the app, whichever name is written. */
import { canonicalReference, familiarReference, type ImageReference } from '@davit/api';
import { registryHost } from '../adapters/proxy/routes.ts';
import type { InstanceFacts } from '../config/instance-facts.ts';

/**
 * Whether a registry gave the image its digest, so that it can be pulled again by it. An image that was built or loaded
 * at the engine has its id for a digest.
 */
export function hasManifest({ digest, image_id }: { digest: string | null; image_id: string | null }): boolean {
  return digest !== null && digest !== image_id;
}

export type OwnRegistryFacts = Pick<InstanceFacts, 'ports' | 'domain'>;

/** The host under which the engine pulls from the instance's own registry: the one that needs no TLS. */
export function ownRegistryHost({ ports }: Pick<InstanceFacts, 'ports'>): string {
  return `localhost:${ports.registry}`;
}

/**
 * Whether a registry's host is the instance's own registry: a loopback address with its port, or its public name. Other
 * names that resolve to this machine are not known here.
 * @param host in canonical form
 */
export function isOwnRegistryHost({ ports, domain }: OwnRegistryFacts, host: string): boolean {
  const [name = '', port] = host.split(':');
  return isLoopback(name) ? port === String(ports.registry) : name === registryHost(domain);
}

/** `project/environment/app` */
const APP_PARTS = 3;

function isLoopback(name: string): boolean {
  return name === 'localhost' || name.startsWith('127.');
}

/**
 * Whether an image has the name of a registry on this server: the own registry, also at an earlier port, or the registry of
 * another instance on the engine. What the engine has under such a name may belong to any project.
 */
export function isOfLocalRegistry(facts: OwnRegistryFacts, image: string): boolean {
  return isLoopback(imageReference(facts, image)?.host.split(':')[0] ?? '');
}

/**
 * Parses an image's name, with one host for the instance's own registry.
 * @returns `null` for text that names no image
 */
export function imageReference(facts: OwnRegistryFacts, text: string): ImageReference | null {
  const reference = canonicalReference(text);
  if (reference === null || !isOwnRegistryHost(facts, reference.host)) return reference;
  return { ...reference, host: ownRegistryHost(facts) };
}

/**
 * Returns the name of an image in the app's own repository, if it is in the repository of another app in the instance's
 * registry, and else its name. A promoted image has the name of the app that it was pushed for, which not everybody who
 * sees this app may see.
 * @param app a reference, `project/environment/app`
 * @param manifest the digest to name it by; `null`: its tag
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

/** Whether a repository has the form of an app's in the instance's registry, which may have had another port before. */
function isOfApp(facts: OwnRegistryFacts, { host, repository }: ImageReference): boolean {
  if (host === ownRegistryHost(facts)) return true;
  return isLoopback(host.split(':')[0] ?? '') && repository.split('/').length === APP_PARTS;
}

/** Whether an image is in the app's own repository of the instance's registry. @param app `project/environment/app` */
export function isInOwnRepository(facts: OwnRegistryFacts, app: string, image: string): boolean {
  const reference = imageReference(facts, image);
  return reference?.host === ownRegistryHost(facts) && reference.repository === app;
}

/** Whether an image is one of the instance's own registry, by any of its names. */
export function isOwnImage(facts: OwnRegistryFacts, image: string): boolean {
  return imageReference(facts, image)?.host === ownRegistryHost(facts);
}
