/** What is asked of the engine about images, by the adapter and by those who build and run the platform's own. */
import { canonicalReference, formatReference, type ImageReference } from '@davit/api';
import type { ImageInspectInfo } from 'dockerode';
import { EngineRefused } from '../../errors.ts';
import type { RegistryAuth } from '../../image.ts';
import type { DockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';
import { readMessages } from '../client/messages.ts';

const IMAGE_ID = /^sha256:[0-9a-f]{64}$/;

/**
 * The canonical form of an image's name for the engine, which may take other spellings for an id or another name.
 * @throws EngineRefused for text that names no image
 */
export function engineReference(reference: string, doing: string): string {
  return formatReference(parsed(reference, doing));
}

/** @throws EngineRefused for anything but a whole image id */
export function assertImageId(id: string, doing: string): void {
  if (!IMAGE_ID.test(id)) throw new EngineRefused(`${doing}: ${JSON.stringify(id)} is not an image id`);
}

/**
 * By name; null when the engine does not have it under exactly this name. An engine also finds images by parts of their
 * ids, so the names that it lists decide.
 * @throws EngineRefused for text that names no image
 */
export async function inspectImage(
  client: DockerClient,
  reference: string,
  signal?: AbortSignal,
): Promise<ImageInspectInfo | null> {
  const wanted = engineReference(reference, 'inspect image');
  const found = await inspect(client, wanted, signal);
  const names = [...(found?.RepoTags ?? []), ...(found?.RepoDigests ?? [])];
  return names.some((name) => canonicalForm(name) === wanted) ? found : null;
}

/** By id; null when the engine does not have it. @throws EngineRefused for anything but a whole id */
export async function inspectImageById(
  client: DockerClient,
  id: string,
  signal?: AbortSignal,
): Promise<ImageInspectInfo | null> {
  assertImageId(id, 'inspect image');
  return inspect(client, id, signal);
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
  const { host, repository, tag, digest } = parsed(reference, doing);
  // A digest goes where a tag would.
  const query = { fromImage: `${host}/${repository}`, tag: digest ?? tag ?? 'latest' };
  const call = { doing, method: 'POST', path: '/images/create', query, auth, signal, timeoutMs: null } as const;
  await readMessages(await client.stream(call), doing, signal);
}

async function inspect(client: DockerClient, nameOrId: string, signal?: AbortSignal): Promise<ImageInspectInfo | null> {
  try {
    const call = { doing: 'inspect image', path: `/images/${nameOrId}/json`, signal };
    return await client.call<ImageInspectInfo>(call);
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/** Null for what the engine lists and is no name, such as `<none>:<none>`. */
function canonicalForm(name: string): string | null {
  const reference = canonicalReference(name);
  return reference && formatReference(reference);
}

function parsed(reference: string, doing: string): ImageReference {
  const found = canonicalReference(reference);
  if (found !== null) return found;
  throw new EngineRefused(`${doing}: ${JSON.stringify(reference)} is not an image reference`);
}
