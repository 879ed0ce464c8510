/** The images that whole instances are tried with. */
import type Docker from 'dockerode';
import { createDockerClient } from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { ensureDebianImage } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';
import { NAMES_IMAGE } from '../../packages/daemon/src/adapters/engine/docker/names/container.ts';
import { FIREWALL_IMAGE } from '../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { PROXY_IMAGE } from '../../packages/daemon/src/adapters/proxy/haproxy/image.ts';
import { REGISTRY_IMAGE } from '../../packages/daemon/src/adapters/registry/distribution/image.ts';
import { customImage, type TestImage, testImage } from './docker-images.ts';

/** Writes what the process was given where it can be fetched, then serves: `/` is its tag and its instance's name. */
const REPORTING = [
  'cat /proc/$$/environ > /www/environ',
  'cat /proc/$$/cmdline > /www/cmdline',
  'echo "$DAVIT_TAG $DAVIT_INSTANCE" > /www/index.html',
  'echo "serving $DAVIT_TAG"',
  'exec httpd -f -p "$PORT" -h /www',
].join('; ');

/** What the tags of a world's repository are: `v1` and `v2` serve, the others are the images of their name. */
export const TAGS = ['v1', 'v2', 'crash', 'silent', 'two-ports', 'healthcheck', 'sick', 'worker', 'stubborn'] as const;
type TestTag = (typeof TAGS)[number];

/** Builds the image that a tag stands for, or finds it. @returns its reference */
export async function tagImage(docker: Docker, tag: TestTag): Promise<string> {
  if (tag !== 'v1' && tag !== 'v2') return testImage(docker, tag satisfies TestImage);
  return customImage(docker, `live-${tag}`, ['EXPOSE 8080', `LABEL release=${tag}`, cmd(REPORTING)]);
}

/** What an instance runs besides apps. */
export async function platformImages(): Promise<string[]> {
  await using client = createDockerClient(null);
  return await Promise.all(
    [PROXY_IMAGE, NAMES_IMAGE, FIREWALL_IMAGE, REGISTRY_IMAGE].map((recipe) => ensureDebianImage(client, recipe)),
  );
}

/** The instruction for a command of the shell's. */
function cmd(script: string): string {
  return `CMD ${JSON.stringify(['sh', '-c', script])}`;
}
