/** What is asked of the engine about images, by the adapter and by those who build and run the platform's own. */
import type { ImageInspectInfo } from 'dockerode';
import { EngineRefused } from '../errors.ts';
import type { RegistryAuth } from '../image.ts';
import type { DockerClient } from './client.ts';
import { isStatus } from './errors.ts';
import { readMessages } from './messages.ts';

/** What may stand in a path of the Engine API as an image: a reference or an id, and nothing that walks elsewhere. */
const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:@/-]*$/;

export function isReference(text: string): boolean {
  return REFERENCE.test(text) && !text.includes('..');
}

/** @throws EngineRefused */
export function assertReference(reference: string, doing: string): void {
  if (isReference(reference)) return;
  throw new EngineRefused(`${doing}: ${JSON.stringify(reference)} is not an image reference`);
}

/** By reference or id; null when the engine does not have it. */
export async function inspectImage(
  client: DockerClient,
  reference: string,
  signal?: AbortSignal,
): Promise<ImageInspectInfo | null> {
  assertReference(reference, 'inspect image');
  try {
    const call = { doing: 'inspect image', path: `/images/${reference}/json`, signal };
    return await client.call<ImageInspectInfo>(call);
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/**
 * Pulls a reference; without a tag its `latest`, where the engine itself would pull every tag of the repository.
 * @throws EngineRefused with the registry's words
 */
export async function pullImage(
  client: DockerClient,
  reference: string,
  { auth, signal, doing }: { auth: RegistryAuth | null; signal: AbortSignal; doing: string },
): Promise<void> {
  assertReference(reference, doing);
  const { name, tag } = splitReference(reference);
  const query = { fromImage: name, tag };
  const call = { doing, method: 'POST', path: '/images/create', query, auth, signal, timeoutMs: null } as const;
  await readMessages(await client.stream(call), doing, signal);
}

/** The parts of a pull's query: a digest goes where a tag would. */
export function splitReference(reference: string): { name: string; tag: string } {
  const at = reference.indexOf('@');
  const tagged = at === -1 ? reference : reference.slice(0, at);
  const colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1);
  const name = colon === -1 ? tagged : tagged.slice(0, colon);
  if (at !== -1) return { name, tag: reference.slice(at + 1) };
  return { name, tag: colon === -1 ? 'latest' : tagged.slice(colon + 1) };
}
