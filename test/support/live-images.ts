/** Images for tests of whole instances. */
import type Docker from 'dockerode';
import { createDockerClient } from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { ensureDebianImage } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';
import { NAMES_IMAGE } from '../../packages/daemon/src/adapters/engine/docker/names/container.ts';
import { FIREWALL_IMAGE } from '../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { PROXY_IMAGE } from '../../packages/daemon/src/adapters/proxy/haproxy/image.ts';
import { REGISTRY_IMAGE } from '../../packages/daemon/src/adapters/registry/distribution/image.ts';
import { customImage, type TestImage, testImage } from './docker-images.ts';

/**
 * Writes the environment and the arguments of the process to files that the server serves. `/` returns the tag and the
 * name of the replica.
 */
const REPORTING = [
  'cat /proc/$$/environ > /www/environ',
  'cat /proc/$$/cmdline > /www/cmdline',
  'echo "$DAVIT_TAG $DAVIT_REPLICA" > /www/index.html',
  'echo "serving $DAVIT_TAG"',
  'exec httpd -f -p "$PORT" -h /www',
].join('; ');

/** Tags of the environment's repository: `v1` and `v2` serve, and the others are the images with the same name. */
export const TAGS = ['v1', 'v2', 'crash', 'silent', 'two-ports', 'healthcheck', 'sick', 'worker', 'stubborn'] as const;
type TestTag = (typeof TAGS)[number];

/**
 * Builds or finds the image of a tag.
 * @returns its reference
 */
export async function tagImage(docker: Docker, tag: TestTag): Promise<string> {
  if (tag !== 'v1' && tag !== 'v2') return testImage(docker, tag satisfies TestImage);
  return customImage(docker, `live-${tag}`, ['EXPOSE 8080', `LABEL release=${tag}`, cmd(REPORTING)]);
}

/** Builds or finds the images that an instance runs in addition to apps. */
export async function platformImages(): Promise<string[]> {
  await using client = createDockerClient(null);
  return await Promise.all(
    [PROXY_IMAGE, NAMES_IMAGE, FIREWALL_IMAGE, REGISTRY_IMAGE].map((recipe) => ensureDebianImage(client, recipe)),
  );
}

/** Returns a CMD instruction that runs a shell script. */
function cmd(script: string): string {
  return `CMD ${JSON.stringify(['sh', '-c', script])}`;
}
