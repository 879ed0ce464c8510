import type { DockerClient } from '../../engine/docker/client/client.ts';
import { inspectImage, pullImage } from '../../engine/docker/images/image-calls.ts';
import { type PlatformImageSource, sharedImages } from '../../engine/docker/images/platform-images.ts';
import type { DebianImage } from '../../engine/docker/made/debian-recipe.ts';

/**
 * Name, Debian packages and other settings of the image for Davit's own registry. The setup command of `davit` can
 * build the image before the first start of the daemon.
 */
export const REGISTRY_IMAGE: DebianImage = {
  name: 'registry',
  packages: ['docker-registry'],
  binaries: ['/usr/bin/docker-registry'],
  entrypoint: ['/usr/bin/docker-registry'],
  check: [['/usr/bin/docker-registry', '--version']],
  setting: 'DAVIT_REGISTRY_IMAGE',
};

const PULL_TIMEOUT_MS = 5 * 60_000;

/**
 * Returns the Docker image of the registry container. If necessary, the image is pulled or built.
 * @param reference image name, or `null` for the image that Davit builds from the Debian package
 * @param images object that finds or builds Davit's own image if `reference` is `null`
 * @returns image id in Docker
 */
export async function ensureRegistryImage(
  docker: DockerClient,
  reference: string | null,
  images: PlatformImageSource = sharedImages(docker),
): Promise<string> {
  if (reference === null) return images.ensure(REGISTRY_IMAGE);
  const image = (await inspectImage(docker, reference)) ?? (await pull(docker, reference));
  if (image === null) throw new Error(`Docker does not have the image ${reference}. Pull it, or restart Davit.`);
  return image.Id;
}

async function pull(docker: DockerClient, reference: string): Promise<{ Id: string } | null> {
  const doing = `pull ${reference} (DAVIT_REGISTRY_IMAGE)`;
  await pullImage(docker, reference, { auth: null, signal: AbortSignal.timeout(PULL_TIMEOUT_MS), doing });
  return inspectImage(docker, reference);
}

/**
 * Parses the version from the output of `docker-registry --version`, for example `2.8.2+ds1`.
 * @throws Error if the program is not CNCF Distribution, or its version is too old
 */
export function versionOf(output: string): string {
  const [version, major = 0, minor = 0] = /\bv?((\d+)\.(\d+)\.\d+\S*)/.exec(output)?.slice(1) ?? [];
  const isRegistry = /\bdistribution\b/.test(output);
  if (version === undefined || !isRegistry) {
    throw new Error(
      'the image does not contain the registry program CNCF Distribution. Set DAVIT_REGISTRY_IMAGE to an image with version 2.8 or later of this program.',
    );
  }
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 8)) {
    throw new Error(
      `the registry program CNCF Distribution ${version} is too old. Set DAVIT_REGISTRY_IMAGE to an image with version 2.8 or later.`,
    );
  }
  return version;
}
