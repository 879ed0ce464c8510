/** Reads images from the Davit instance's own registry and checks their manifests. */
import type { Readable } from 'node:stream';
import { RegistryUnavailable, type StoredImages } from '../registry.ts';
import { demandReadable, type ReadableManifest } from '../remote/manifest.ts';
import { RemoteProblem } from '../remote/problem.ts';
import type { RegistryClient } from './client.ts';

/**
 * Maximum number of manifests that Davit reads from one image index. In practice, image indexes contain fewer
 * manifests.
 */
const MOST_MANIFESTS = 200;

interface Wanted {
  digest: string;
  signal: AbortSignal;
}

/**
 * Reads an image manifest. For an image index, reads the manifests that exist. Rejects external layer URLs, because the
 * registry does not check the layers at such URLs.
 * @throws RemoteProblem, or the abort reason
 */
export async function readStoredImages(
  client: RegistryClient,
  repository: string,
  { digest, signal }: Wanted,
): Promise<StoredImages> {
  const found = new Map<string, ReadableManifest>();
  // Avoids reading a manifest twice. Image indexes can be nested and can contain the same manifest several times.
  const seen = new Set([digest]);
  const linux = new Set([digest]);
  for (const next of seen) {
    signal.throwIfAborted();
    if (seen.size > MOST_MANIFESTS)
      throw new RemoteProblem('registry_answer_invalid', `an image index lists more than ${MOST_MANIFESTS} manifests`);
    const stored = await reached(() => client.stored('GET', repository, next));
    if (stored === null) continue;
    const manifest = demandReadable(stored.body, stored.headers['content-type']);
    found.set(next, manifest);
    for (const child of manifest.manifests) seen.add(child);
    for (const child of manifest.linux) linux.add(child);
  }
  const images = [...found].flatMap(([of, { image }]) => (image === null ? [] : [{ ...image, mayRun: linux.has(of) }]));
  return { images, isComplete: found.size === seen.size };
}

/**
 * Starts the download of a layer or an image configuration.
 * @throws RemoteProblem if the blob is missing or the registry does not respond, or the abort reason
 */
export async function openStoredBlob(
  client: RegistryClient,
  repository: string,
  { digest, signal }: Wanted,
): Promise<Readable> {
  const found = await reached(() => client.openBlob(repository, digest, signal));
  if (found !== null) return found;
  throw new RemoteProblem('image_not_found', `the repository ${repository} does not contain ${digest}`);
}

async function reached<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof RegistryUnavailable)) throw cause;
    throw new RemoteProblem('registry_unreachable', 'the registry of this instance does not respond', { cause });
  }
}
