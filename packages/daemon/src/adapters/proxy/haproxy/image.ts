import type { DockerClient } from '../../engine/docker/client/client.ts';
import { inspectImage, pullImage } from '../../engine/docker/images/image-calls.ts';
import { type PlatformImageSource, sharedImages } from '../../engine/docker/images/platform-images.ts';
import type { DebianImage } from '../../engine/docker/made/debian-recipe.ts';

/**
 * Definition of the HAProxy image, for example its Debian packages. Davit's setup can build the image before the first
 * start of the daemon.
 */
export const PROXY_IMAGE: DebianImage = {
  name: 'haproxy',
  packages: ['haproxy'],
  binaries: ['/usr/sbin/haproxy'],
  entrypoint: ['/usr/sbin/haproxy'],
  check: [['/usr/sbin/haproxy', '-v']],
  setting: 'DAVIT_PROXY_IMAGE',
};

const PULL_TIMEOUT_MS = 5 * 60_000;

/**
 * Finds, builds or pulls the HAProxy image and returns its image id in Docker.
 * @param reference image name, or `null` for the image that `images` builds
 */
export async function ensureProxyImage(
  docker: DockerClient,
  reference: string | null,
  images: PlatformImageSource = sharedImages(docker),
): Promise<string> {
  if (reference === null) return images.ensure(PROXY_IMAGE);
  return ((await inspectImage(docker, reference)) ?? (await pull(docker, reference))).Id;
}

async function pull(docker: DockerClient, reference: string): Promise<{ Id: string }> {
  const doing = `pull ${reference} (DAVIT_PROXY_IMAGE)`;
  await pullImage(docker, reference, { auth: null, signal: AbortSignal.timeout(PULL_TIMEOUT_MS), doing });
  const image = await inspectImage(docker, reference);
  if (image === null)
    throw new Error(`${doing}: Docker does not have the image after the pull. Check the name of the image.`);
  return image;
}
