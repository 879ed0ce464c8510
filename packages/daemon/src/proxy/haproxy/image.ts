/** The image that the proxy runs from. */
import type { DockerClient } from '../../engine/docker/client.ts';
import { type DebianImage, ensureDebianImage } from '../../engine/docker/debian-image.ts';
import { isStatus } from '../../engine/docker/errors.ts';
import { splitReference } from '../../engine/docker/images.ts';
import { readMessages } from '../../engine/docker/messages.ts';

/** Set-up may build it ahead of the first start. */
export const PROXY_IMAGE: DebianImage = {
  name: 'haproxy',
  packages: ['haproxy'],
  binaries: ['/usr/sbin/haproxy'],
  entrypoint: ['/usr/sbin/haproxy'],
  setting: 'DAVIT_PROXY_IMAGE',
};

const PULL_TIMEOUT_MS = 5 * 60_000;

/**
 * Finds, builds or pulls the image.
 * @param reference null: the one made from this distribution's package
 * @returns the engine's id of it
 */
export async function ensureProxyImage(docker: DockerClient, reference: string | null): Promise<string> {
  if (reference === null) {
    const built = await ensureDebianImage(docker, PROXY_IMAGE);
    const image = await inspect(docker, built);
    if (image !== null) return image.Id;
    throw new Error(`image ${built} was built and is gone: start Davit again.`);
  }
  return ((await inspect(docker, reference)) ?? (await pull(docker, reference))).Id;
}

async function inspect(docker: DockerClient, reference: string): Promise<{ Id: string } | null> {
  try {
    return await docker.call<{ Id: string }>({ doing: 'inspect image', path: `/images/${reference}/json` });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

async function pull(docker: DockerClient, reference: string): Promise<{ Id: string }> {
  const { name, tag } = splitReference(reference);
  const signal = AbortSignal.timeout(PULL_TIMEOUT_MS);
  const doing = `pull ${reference} (DAVIT_PROXY_IMAGE)`;
  const query = { fromImage: name, tag };
  const stream = await docker.stream({
    doing,
    method: 'POST',
    path: '/images/create',
    query,
    auth: null,
    signal,
    timeoutMs: null,
  });
  await readMessages(stream, doing, signal);
  const image = await inspect(docker, reference);
  if (image === null) throw new Error(`${doing}: the engine does not have it after the pull; check the reference.`);
  return image;
}
