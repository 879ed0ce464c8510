/** Docker requests that inspect and pull images. */
import { canonicalReference, formatReference, type ImageReference } from '@davit/api';
import type { ImageInspectInfo } from 'dockerode';
import { EngineRefused } from '../../errors.ts';
import type { RegistryAuth } from '../../image.ts';
import type { DockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';
import { readMessages } from '../client/messages.ts';

const IMAGE_ID = /^sha256:[0-9a-f]{64}$/;

/**
 * Returns the canonical form of an image reference. Docker may interpret other forms as an image id.
 * @throws EngineRefused if the text is not an image reference
 */
export function engineReference(reference: string, doing: string): string {
  return formatReference(parsed(reference, doing));
}

/** @throws EngineRefused if the text is not a complete image id */
export function assertImageId(id: string, doing: string): void {
  if (!IMAGE_ID.test(id)) throw new EngineRefused(`${JSON.stringify(id)} is not a valid image ID (${doing}).`);
}

/**
 * Inspects a local image by its reference. Returns `null` if the image does not exist.
 * @throws EngineRefused if the text is not an image reference
 */
export async function inspectImage(
  client: DockerClient,
  reference: string,
  signal?: AbortSignal,
): Promise<ImageInspectInfo | null> {
  const wanted = engineReference(reference, 'inspect image');
  const found = await inspect(client, wanted, signal);
  /*
   * Docker also accepts the start of an image id as a name. The code therefore checks that the found image has the
   * requested name.
   */
  const names = [...(found?.RepoTags ?? []), ...(found?.RepoDigests ?? [])];
  return names.some((name) => canonicalForm(name) === wanted) ? found : null;
}

/**
 * Inspects a local image by id. Returns `null` if the image does not exist.
 * @throws EngineRefused if the text is not a complete image id
 */
export async function inspectImageById(
  client: DockerClient,
  id: string,
  signal?: AbortSignal,
): Promise<ImageInspectInfo | null> {
  assertImageId(id, 'inspect image');
  return inspect(client, id, signal);
}

/**
 * Pulls an image. A reference without a tag means the tag `latest`, because Docker would otherwise pull all tags of the
 * repository.
 * @throws EngineRefused with the registry's error text
 */
export async function pullImage(
  client: DockerClient,
  reference: string,
  { auth, signal, doing }: { auth: RegistryAuth | null; signal: AbortSignal; doing: string },
): Promise<void> {
  const { host, repository, tag, digest } = parsed(reference, doing);
  // The Docker Engine API accepts a digest in the query parameter `tag`.
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

/**
 * Returns the canonical form of an image name. Returns `null` if the text is not an image name, such as
 * `<none>:<none>`.
 */
function canonicalForm(name: string): string | null {
  const reference = canonicalReference(name);
  return reference && formatReference(reference);
}

function parsed(reference: string, doing: string): ImageReference {
  const found = canonicalReference(reference);
  if (found !== null) return found;
  throw new EngineRefused(`${JSON.stringify(reference)} is not a valid image name (${doing}).`);
}
