import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { isPublicAddress } from '@davit/service';
import { patience, until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { createDockerEngine } from '../../packages/daemon/src/adapters/engine/docker/docker.ts';
import type { BareEngine, Engine } from '../../packages/daemon/src/adapters/engine/engine.ts';
import { LABEL } from '../../packages/daemon/src/adapters/engine/labels.ts';
import { fetchingImages } from '../../packages/daemon/src/adapters/registry/remote/fetching.ts';
import type { Rig } from '../../packages/daemon/test/conformance/engine-conformance.ts';
import type { TestImage } from './docker-images.ts';
import { testImage } from './docker-images.ts';
import { pause } from './pause.ts';

export interface DockerRig extends Rig {
  docker: Docker;
  dataDir: string;
  /**
   * Runs a command in a container on a network.
   * @returns its output, whatever its exit code
   */
  runOn(network: string, command: string[]): Promise<string>;
}

/** Creates the engine of a separate Davit instance on the Docker Engine of this machine. */
export async function createDockerRig(): Promise<DockerRig> {
  const docker = new Docker();
  const davitId = randomBytes(4).toString('hex');
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-engine-'));
  const registry = await emptyRegistry();
  const locked = await lockedRegistry(REGISTRY_AUTH);
  const references = Object.fromEntries(
    await Promise.all(IMAGES.map(async (name) => [name, await testImage(docker, name)] as const)),
  ) as Record<(typeof IMAGES)[number], string>;

  const open = (dockerHost: string | null = null): Engine =>
    fetchingEngine(createDockerEngine({ davitId, dockerHost, networkPool: '10.208.0.0/12', dataDir }), davitId, () => [
      `localhost:${portOf(registry)}`,
      `localhost:${portOf(locked)}`,
    ]);
  const engine = open();
  let lookups = 0;
  const runOn = async (network: string, command: string[]): Promise<string> => {
    lookups += 1;
    const image = await engine.findImage(references.web);
    const { output } = await engine.runOnce(
      {
        kind: 'release',
        name: `davit-${davitId}-lookup-${lookups}`,
        ...{ app: 'test', deployment: 1, imageId: image?.id ?? '', network, env: {}, volumes: [], command },
        limits: { cpu: null, memoryBytes: null, pids: 64 },
      },
      patience(),
    );
    return output;
  };
  return {
    docker,
    dataDir,
    runOn,
    davitId,
    engine,
    images: {
      ...{ web: references.web, twoPorts: references['two-ports'], crash: references.crash, crashExitCode: 3 },
      ...{ silent: references.silent, healthy: references.healthcheck, sick: references.sick },
      ...{ stubborn: references.stubborn, volume: references.volume, volumeBytes: 4 * 2 ** 20 },
      ...{ absent: `127.0.0.1:${portOf(registry)}/nothing:1` },
    },
    registry: { host: `127.0.0.1:${portOf(locked)}`, auth: REGISTRY_AUTH, wrongPassword: 'open-sesame' },
    reopen: () => open(),
    unavailable: () => open(`unix://${join(dataDir, 'no.sock')}`),
    crash: (id) => execute(docker, id, ['sh', '-c', 'kill -9 -1']),
    freeze: (id) => pause(docker.getContainer(id)),
    write: (id, line) => execute(docker, id, ['sh', '-c', 'echo "$0" > /proc/1/fd/1', line]),
    endedInside: async (id, program) => {
      await until(`${program} has ended`, async () => {
        const { Processes } = await docker.getContainer(id).top();
        return !Processes.some((process: string[]) => process.at(-1)?.startsWith(`${program} `));
      });
    },
    resolve: async (name, network) => {
      const output = await runOn(network, ['nslookup', '-type=a', name]);
      return [...output.matchAll(/^Address: ([\d.]+)$/gm)].map((match) => match[1] ?? '');
    },
    cleanup: async () => {
      await removeAll(docker, engine, davitId);
      await engine[Symbol.asyncDispose]();
      registry.close();
      locked.close();
      await rm(dataDir, { recursive: true, force: true });
    },
    leftovers: () => leftovers(docker, davitId),
  };
}

/** Creates the engine like the composition root, but with some private registries. */
export function fetchingEngine(engine: BareEngine, davitId: string, privateHosts: () => string[]): Engine {
  const port = { remembered: () => null, remember: () => undefined };
  return fetchingImages(engine, {
    ...{ davitId, privateHosts, isOpen: isPublicAddress, containers: '10.208.0.0/12', port },
    own: {
      host: () => 'localhost:1',
      readImages: async () => ({ images: [], isComplete: true }),
      openBlob: () => Promise.reject(new Error('there is none')),
    },
    possession: { isKnownBlob: () => false, isKnownImage: () => false, remember: () => undefined },
    isBroughtHere: () => true,
    recordName: () => undefined,
  });
}

const IMAGES = [
  ...['web', 'two-ports', 'crash', 'silent', 'healthcheck', 'sick', 'stubborn', 'volume'],
] as const satisfies readonly TestImage[];

/** Runs a command inside a container and waits for its end. */
export async function execute(docker: Docker, id: string, command: string[]): Promise<void> {
  const exec = await docker.getContainer(id).exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  stream.resume();
  await finished(stream);
}

/** Removes all objects with the id of the instance, however they were created. */
async function removeAll(docker: Docker, engine: Engine, davitId: string): Promise<void> {
  const filters = { label: [`${LABEL.instance}=${davitId}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const apps = containers.filter((container) => container.Labels[LABEL.kind] !== 'names');
  await Promise.all(apps.map((container) => docker.getContainer(container.Id).remove({ force: true, v: true })));
  for (const name of await engine.networks()) await engine.removeNetwork(name);
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  await Promise.all(volumes.map((volume) => docker.getVolume(volume.Name).remove()));
  for (const tag of await engine.heldImages()) await engine.releaseImage(tag);
}

async function leftovers(docker: Docker, davitId: string): Promise<string[]> {
  const filters = { label: [`${LABEL.instance}=${davitId}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const networks = await docker.listNetworks({ filters });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  const tags = (await docker.listImages()).flatMap((image) => image.RepoTags ?? []);
  return [
    ...containers.map((container) => `container ${container.Names[0]}`),
    ...networks.map((network) => `network ${network.Name}`),
    ...volumes.map((volume) => `volume ${volume.Name}`),
    ...tags.filter((tag) => tag.startsWith(`davit-${davitId}/`)).map((tag) => `tag ${tag}`),
  ];
}

/** Starts a registry on loopback that is empty except for `broken:1`, an image whose layers are missing. */
export async function emptyRegistry(): Promise<Server> {
  const digest = `sha256:${'a'.repeat(64)}`;
  const layer = { mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip', size: 100, digest };
  const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
  const config = { mediaType: 'application/vnd.docker.container.image.v1+json', size: 100, digest };
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [layer] });
  const server = createServer((request, response) => {
    if (request.url === '/v2/') response.end('{}');
    else if (request.url?.startsWith('/v2/broken/manifests/')) {
      response.setHeader('Content-Type', mediaType).end(request.method === 'HEAD' ? undefined : manifest);
    } else {
      const code = request.url?.includes('/blobs/') ? 'BLOB_UNKNOWN' : 'MANIFEST_UNKNOWN';
      const message = code.toLowerCase().replace('_', ' ');
      response.setHeader('Content-Type', 'application/json').writeHead(404);
      response.end(JSON.stringify({ errors: [{ code, message }] }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const REGISTRY_AUTH = { username: 'ada', password: 'let-me-in-please' };

/** Starts a registry on loopback that accepts only one account. */
async function lockedRegistry({ username, password }: typeof REGISTRY_AUTH): Promise<Server> {
  const right = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization === right) return response.end('{}');
    response.setHeader('WWW-Authenticate', 'Basic realm="locked"').writeHead(401);
    return response.end(JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: 'authentication required' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
