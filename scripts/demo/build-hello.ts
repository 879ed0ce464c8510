import { join } from 'node:path';
import type Docker from 'dockerode';
import { createDockerClient } from '../../packages/daemon/src/engine/docker/client.ts';
import { ensureDebianImage } from '../../packages/daemon/src/engine/docker/debian-image.ts';

const CONTEXT = join(import.meta.dirname, '..', '..', 'examples', 'hello');
/** What the example's Dockerfile begins with. */
const BASE = 'davit-busybox';
const FILES = ['Dockerfile', 'start', 'www'];

/** The two releases differ in colour, so that a deploy is seen. */
const RELEASES = [
  { tag: '1.0', accent: '#0b7285' },
  { tag: '1.1', accent: '#a4460f' },
];

async function build(docker: Docker, { tag, accent }: { tag: string; accent: string }): Promise<void> {
  const messages = await docker.buildImage(
    { context: CONTEXT, src: FILES },
    { t: `davit-hello:${tag}`, buildargs: { RELEASE: tag, ACCENT: accent }, rm: true, forcerm: true },
  );
  await new Promise<void>((resolve, reject) => {
    // A refusal arrives as a message inside a successful answer; followProgress makes it an error.
    docker.modem.followProgress(messages, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Builds `davit-hello:1.0` and `davit-hello:1.1` with the local engine; what was built before is found in its cache.
 * @param dockerHost DOCKER_HOST's form; null: the default socket
 */
export async function buildHello(dockerHost: string | null): Promise<void> {
  await using client = createDockerClient(dockerHost);
  const docker = await client.docker();
  const busybox = await ensureDebianImage(docker, {
    name: 'busybox',
    packages: ['busybox-static'],
    binaries: ['/bin/busybox'],
    entrypoint: ['/bin/busybox'],
  });
  await docker.getImage(busybox).tag({ repo: BASE, tag: 'latest' });
  for (const release of RELEASES) await build(docker, release);
}
