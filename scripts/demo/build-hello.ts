import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createDockerClient,
  type DockerClient,
} from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { readMessages } from '../../packages/daemon/src/adapters/engine/docker/client/messages.ts';
import { BUSYBOX_LINKS } from '../../packages/daemon/src/adapters/engine/docker/made/busybox.ts';
import { ensureDebianImage } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';

const CONTEXT = join(import.meta.dirname, '..', '..', 'examples', 'hello');
/** Base image in the Dockerfile of the example. */
const BASE = 'davit-busybox';
const FILES = ['Dockerfile', 'start', 'www'];

/** Releases with different colors, so that a deployment is visible. */
const RELEASES = [
  { tag: '1.0', accent: '#0b7285' },
  { tag: '1.1', accent: '#a4460f' },
];

/**
 * Lines of `/etc/passwd`. The example app runs as the user with ID 65534. Without these lines, commands such as
 * `whoami` fail, because this ID has no user name.
 */
const USERS = ['root:x:0:0::/:/bin/sh', 'nobody:x:65534:65534::/:/bin/sh'];

function linksTo(...commands: string[]): Record<string, string> {
  return Object.fromEntries(commands.map((name) => [`/bin/${name}`, 'busybox']));
}

const BUILD_TIMEOUT_MS = 5 * 60_000;

/**
 * Builds a release.
 * @param archive build context as a tar file
 */
async function build(client: DockerClient, archive: string, release: { tag: string; accent: string }): Promise<void> {
  const buildargs = { RELEASE: release.tag, ACCENT: release.accent };
  const signal = AbortSignal.timeout(BUILD_TIMEOUT_MS);
  const doing = `build davit-hello:${release.tag}`;
  const stream = await client.stream({
    doing,
    method: 'POST',
    path: '/build',
    query: { t: `davit-hello:${release.tag}`, buildargs, rm: true, forcerm: true },
    archive: createReadStream(archive),
    signal,
    timeoutMs: null,
  });
  await readMessages(stream, doing, signal);
}

/**
 * Builds `davit-hello:1.0` and `davit-hello:1.1` with the local engine. Earlier builds are taken from its cache.
 * @param dockerHost address in the format of `DOCKER_HOST`, or `null` for the default socket
 */
export async function buildHello(dockerHost: string | null): Promise<void> {
  await using client = createDockerClient(dockerHost);
  const busybox = await ensureDebianImage(client, {
    name: 'busybox',
    packages: ['busybox-static'],
    binaries: ['/bin/busybox'],
    entrypoint: ['/bin/busybox'],
    // A shell and its commands, for the terminal of the dashboard, `davit shell` and `davit run`.
    links: { ...BUSYBOX_LINKS, ...linksTo('clear', 'free', 'less', 'more', 'top', 'uptime', 'vi', 'wget') },
    files: { '/etc/passwd': `${USERS.join('\n')}\n` },
  });
  const query = { repo: BASE, tag: 'latest' };
  await client.call({ doing: `tag ${BASE}`, method: 'POST', path: `/images/${busybox}/tag`, query });
  const folder = await mkdtemp(join(tmpdir(), 'davit-hello-'));
  try {
    const archive = join(folder, 'context.tar');
    await promisify(execFile)('tar', ['-C', CONTEXT, '-cf', archive, ...FILES]);
    for (const release of RELEASES) await build(client, archive, release);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
