/**
 * Images for tests with a real engine: small servers built from Debian's static busybox. Each image is built once and
 * found by a tag that is a hash of its recipe. The images stay, so the next test run starts at once.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import {
  createDockerClient,
  type DockerClient,
} from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { ensureDebianImage } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';

const SERVE = 'exec httpd -f -p "$${PORT:-8080}" -h /www';

const HEALTHCHECK = 'HEALTHCHECK CMD test -z "$SICK" || { echo "it is sick"; exit 1; }';

/** Instructions after the base image, by the name of the image. */
const VARIANTS = {
  /** Serves /www on $PORT (default 8080). `/` is "hello", and `/sub` redirects to `/sub/`. */
  web: ['EXPOSE 8080', cmd(SERVE)],
  /** Like `web`, but also exposes a port on which no program listens. */
  'two-ports': ['EXPOSE 8080 9090', cmd(SERVE)],
  /** Writes a line to each stream and exits with 3. */
  crash: ['EXPOSE 8080', cmd('echo starting; echo "fatal: this example crashes" >&2; exit 3')],
  /** Runs and listens on nothing. */
  silent: ['EXPOSE 8080', cmd('echo starting; exec sleep 1000000')],
  /** Is healthy according to its HEALTHCHECK, unless SICK is set. */
  healthcheck: ['EXPOSE 8080', HEALTHCHECK, cmd(SERVE)],
  /** Like `healthcheck`, but with SICK set. */
  sick: ['EXPOSE 8080', 'ENV SICK=1', HEALTHCHECK, cmd(SERVE)],
  /** Listens on nothing, exposes no port, and writes a line each second. */
  worker: [cmd('n=0; while true; do n=$((n+1)); echo "tick $n"; sleep 1; done')],
  /** Ignores SIGTERM, and exits with 7 on SIGUSR1. */
  stubborn: ['EXPOSE 8080', cmd('trap "" TERM; trap "exit 7" USR1; echo ready; while true; do sleep 0.1; done')],
  /** Declares a volume, writes 4 MiB to it and lists its folder. */
  volume: [
    'VOLUME /data',
    cmd('dd if=/dev/zero of=/data/file bs=1M count=4 2>/dev/null; ls /data; exec sleep 1000000'),
  ],
} satisfies Record<string, string[]>;

export type TestImage = keyof typeof VARIANTS;

export const TEST_IMAGES = Object.keys(VARIANTS) as TestImage[];

/** Returns Davit's own client for the engine that a test uses with dockerode. */
export function clientOf(docker: Docker): DockerClient {
  return createDockerClient(addressOf(docker));
}

/** Returns the address of the engine, or null for the engine of this machine. */
function addressOf(docker: Docker): string | null {
  const { socketPath } = docker.modem as { socketPath?: unknown };
  // `socketPath` is a function that finds the default socket, unless a path was given.
  return typeof socketPath === 'string' ? `unix://${socketPath}` : null;
}

/**
 * Builds or finds the base image: busybox and its tools under /bin.
 * @returns its reference
 */
export function busyboxImage(docker: Docker): Promise<string> {
  return once(docker, 'base', () => makeBase(docker));
}

async function makeBase(docker: Docker): Promise<string> {
  await using client = clientOf(docker);
  const binary = await ensureDebianImage(client, {
    name: 'test-busybox',
    packages: ['busybox-static'],
    binaries: ['/bin/busybox'],
    entrypoint: ['/bin/busybox'],
  });
  const links = 'RUN ["/bin/busybox", "sh", "-c", "/bin/busybox --install -s /bin && mkdir -p /tmp /www/sub"]';
  const pages = 'RUN ["/bin/sh", "-c", "echo hello > /www/index.html && echo sub > /www/sub/index.html"]';
  return build(docker, 'base', [`FROM ${binary}`, links, pages, 'ENTRYPOINT []', 'ENV PATH=/bin']);
}

/**
 * Builds or finds a test image.
 * @returns its reference
 */
export async function testImage(docker: Docker, name: TestImage): Promise<string> {
  const base = await busyboxImage(docker);
  return build(docker, name, [`FROM ${base}`, ...VARIANTS[name]]);
}

/** Builds an image with the given instructions after the base, for example `CMD ["echo", "hi"]`. */
export async function customImage(docker: Docker, name: string, instructions: string[]): Promise<string> {
  const base = await busyboxImage(docker);
  return build(docker, name, [`FROM ${base}`, ...instructions]);
}

function cmd(script: string): string {
  return `CMD ${JSON.stringify(['sh', '-c', script.replaceAll('$$', '$')])}`;
}

async function build(docker: Docker, name: string, lines: string[]): Promise<string> {
  const dockerfile = `${lines.join('\n')}\n`;
  const reference = `davit-test/${name}:${createHash('sha256').update(dockerfile).digest('hex').slice(0, 16)}`;
  return once(docker, reference, () => findOrBuild(docker, reference, dockerfile));
}

/** Running builds of this process, by engine and image. */
const running = new Map<string, Promise<string>>();

/** Joins a running build of the image. Otherwise each of several concurrent callers would build it on a new machine. */
async function once(docker: Docker, image: string, make: () => Promise<string>): Promise<string> {
  const key = `${addressOf(docker)} ${image}`;
  const making = running.get(key) ?? make().finally(() => running.delete(key));
  running.set(key, making);
  return making;
}

async function findOrBuild(docker: Docker, reference: string, dockerfile: string): Promise<string> {
  if (await exists(docker, reference)) return reference;
  const stream = await docker.buildImage(Readable.from([tarOf('Dockerfile', dockerfile)]), {
    t: reference,
    rm: true,
    forcerm: true,
  });
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error, messages: { error?: string }[] | null) => {
      const failure = error?.message ?? messages?.find((message) => message.error !== undefined)?.error;
      if (failure === undefined) resolve();
      else reject(new Error(`build image ${reference}: ${failure}`));
    });
  });
  return reference;
}

async function exists(docker: Docker, reference: string): Promise<boolean> {
  return docker
    .getImage(reference)
    .inspect()
    .then(
      () => true,
      (error: { statusCode?: number }) => {
        if (error.statusCode === 404) return false;
        throw error;
      },
    );
}

/** Returns a tar archive with one small file. */
function tarOf(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body, Buffer.alloc(1024)]);
}
