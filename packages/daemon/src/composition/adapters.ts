import { join } from 'node:path';
import { type Logger, openAddresses } from '@davit/service';
import { createDockerClient } from '../adapters/engine/docker/client/client.ts';
import { gatedClient } from '../adapters/engine/docker/client/gated-client.ts';
import { createDockerEngine } from '../adapters/engine/docker/docker.ts';
import { DockerPlatformImages } from '../adapters/engine/docker/images/platform-images.ts';
import { Apt } from '../adapters/engine/docker/made/debian-apt.ts';
import { createDockerRemoval } from '../adapters/engine/docker/removal/removal.ts';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import type { PlatformImageMaker } from '../adapters/engine/platform-images.ts';
import type { InstanceRemoval } from '../adapters/engine/removal.ts';
import { createLego } from '../adapters/lego/debian-lego.ts';
import type { Lego } from '../adapters/lego/lego.ts';
import type { AccessLog } from '../adapters/proxy/access-log.ts';
import { createAccessLogReader } from '../adapters/proxy/haproxy/access-log-reader.ts';
import { createHaproxy } from '../adapters/proxy/haproxy/haproxy.ts';
import type { Proxy } from '../adapters/proxy/proxy.ts';
import { createDistribution } from '../adapters/registry/distribution/distribution.ts';
import type { ImageRegistry } from '../adapters/registry/registry.ts';
import { type FetchingOptions, fetchingImages } from '../adapters/registry/remote/fetching.ts';
import { RegistryKeys } from '../auth/registry-keys.ts';
import type { Config } from '../config/config.ts';
import { instanceSettings } from '../config/instance-settings.ts';
import { isKnownBlob, isKnownImage, recordBlob, recordImage } from '../db/tables/image-blob.ts';
import { pulledImage, setPulledImage } from '../db/tables/pulled-image.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';
import { ownRegistryHost } from '../image-references/own-registry.ts';
import { platformImageRecords } from '../resources/platform-images/records.ts';
import { portsOf } from './facts.ts';
import type { HomeGate } from './home-gate.ts';
import type { State } from './state.ts';

/** Adapters for Docker, HAProxy and the registry. The adapters use Docker or simulate it. */
export interface Adapters {
  engine: Engine;
  proxy: Proxy;
  /** Receives HAProxy's access log. */
  accessLog: AccessLog;
  registry: ImageRegistry;
  /** Client for the APIs of DNS providers, which runs the program `lego`. Not set or `null` if Docker is simulated. */
  lego?: Lego | null;
  /** Builder for the Docker images of HAProxy, the registry and managed services. Not set if Docker is simulated. */
  platform?: PlatformImageMaker;
}

/**
 * Error that stops the start of the daemon, because neither Docker nor the simulation can be used as configured. The
 * message explains how to solve the problem.
 */
export class EngineNotUsable extends Error {
  override name = 'EngineNotUsable';
}

const KIND = 'engine';
const GATEWAY_PORT = 'port.gateway';

/**
 * Returns the adapters for Docker or for the simulated Docker. With the setting `auto`, the first start uses Docker if
 * Docker responds, and otherwise the simulation. All later starts must make the same choice.
 * @param gate blocks requests to Docker until the daemon has checked that the instance may use this Docker installation
 * @throws EngineNotUsable if the setting contradicts the choice of the first start, or Docker cannot be used
 */
export async function chooseAdapters(
  config: Config,
  state: State,
  log: Logger,
  gate: HomeGate,
): Promise<Adapters & { note: string | null }> {
  const fixed = readSetting(state.store, KIND);
  if (fixed !== undefined && config.engine !== 'auto' && config.engine !== fixed) {
    throw new EngineNotUsable(
      `This data directory was created with DAVIT_ENGINE=${fixed}. Start Davit with DAVIT_ENGINE=${fixed}, or use another data directory.`,
    );
  }
  const wanted = fixed ?? config.engine;
  if (wanted === 'memory') return fix(state, await memoryAdapters(state), null);
  const docker = dockerAdapters(config, state, log, gate);
  try {
    await docker.engine.info();
  } catch (error) {
    if (!(error instanceof EngineUnavailable) && !(error instanceof EngineRefused)) throw error;
    if (fixed !== undefined && error instanceof EngineUnavailable) return { ...docker, note: error.message };
    await docker.engine[Symbol.asyncDispose]();
    if (wanted === 'docker' || error instanceof EngineRefused)
      throw new EngineNotUsable(error.message, { cause: error });
    return fix(
      state,
      await memoryAdapters(state),
      `${error.message} Davit only simulates apps in this data directory. To run real apps, use a new data directory.`,
    );
  }
  return fix(state, docker, null);
}

function fix({ store }: State, adapters: Adapters, note: string | null): Adapters & { note: string | null } {
  store.tx((tx) => writeSetting(tx, KIND, adapters.engine.kind));
  return { ...adapters, note };
}

/**
 * Creates simulated adapters for an instance without Docker. The imports are dynamic, because an instance with Docker
 * does not need these modules, and they would use memory.
 */
async function memoryAdapters({ id }: State): Promise<Adapters> {
  const { createMemoryEngine } = await import('../adapters/engine/memory/memory.ts');
  const { createMemoryAccessLog } = await import('../adapters/proxy/memory/memory-access-log.ts');
  const { createMemoryProxy } = await import('../adapters/proxy/memory/memory-proxy.ts');
  const { createMemoryRegistry } = await import('../adapters/registry/memory/memory-registry.ts');
  return {
    engine: createMemoryEngine({ davitId: id, anyImage: true }),
    proxy: createMemoryProxy(),
    accessLog: createMemoryAccessLog(),
    registry: createMemoryRegistry(),
  };
}

/**
 * Returns the options for image pulls from other registries. The options include the allowed IP addresses and the port
 * of the daemon's local registry. They also include functions that save the pulled images in the database.
 */
export function registryRules(store: State['store'], containers: string): Omit<FetchingOptions, 'davitId' | 'own'> {
  return {
    containers,
    privateHosts: () => instanceSettings(store).registries.private_hosts,
    isOpen: openAddresses({ publicAddress: () => instanceSettings(store).public_address }),
    possession: {
      isKnownBlob: (repository, digest) => isKnownBlob(store, repository, digest),
      isKnownImage: (repository, { digest, imageId }) => isKnownImage(store, repository, digest, imageId),
      remember: (repository, { digest, imageId }, blobs) =>
        store.tx((tx) => {
          for (const blob of blobs) recordBlob(tx, repository, blob);
          recordImage(tx, repository, digest, imageId);
        }),
    },
    // Davit records each name that it gives to an image. A name without a record may come from another program.
    isBroughtHere: (reference, imageId) => pulledImage(store, reference)?.image_id === imageId,
    recordName: (reference, imageId) => store.tx((tx) => setPulledImage(tx, reference, imageId)),
    port: {
      remembered: () => Number(readSetting(store, GATEWAY_PORT)) || null,
      remember: (port) => store.tx((tx) => writeSetting(tx, GATEWAY_PORT, String(port))),
    },
  };
}

function dockerAdapters(config: Config, { id, store, sealer }: State, log: Logger, gate: HomeGate): Adapters {
  const { dockerHost, networkPool, dataDir } = config;
  const client = () => gatedClient(createDockerClient(dockerHost), () => gate.demandOpen());
  const apt = new Apt({ folder: join(dataDir, 'packages'), sources: config.aptSources });
  const images = new DockerPlatformImages({
    ...{ davitId: id, docker: client(), apt, log, now: Date.now },
    isShared: config.aptSources === null,
    records: platformImageRecords(store),
  });
  const engine = fetchingImages(createDockerEngine({ davitId: id, dockerHost, networkPool, dataDir, images, log }), {
    davitId: id,
    own: {
      host: () => ownRegistryHost({ ports: portsOf(config) }),
      readImages: (repository, digest, signal) => registry.readImages(repository, digest, signal),
      openBlob: (repository, digest, signal) => registry.openBlob(repository, digest, signal),
    },
    ...registryRules(store, networkPool),
  });
  /*
   * The token proves that HAProxy sent the access log. The token never changes, because HAProxy continues to run while
   * the daemon restarts.
   */
  const accessLogOptions = { port: config.accessPort.port, token: sealer.mac('access log', id).slice(0, 16) };
  const accessLog = createAccessLogReader(accessLogOptions);
  const proxy = createHaproxy({
    davitId: id,
    docker: client(),
    dataDir,
    networkPool,
    httpPort: config.httpPort.port,
    httpsPort: config.httpsPort.port,
    registryPort: config.registryPort.port,
    image: config.proxyImage,
    images,
    accessLog: { ...accessLogOptions, settle: (stands) => accessLog.settle(stands) },
    log,
  });
  const keys = new RegistryKeys({ davitId: id, store, sealer, now: Date.now });
  const registry = createDistribution({
    davitId: id,
    docker: client(),
    dataDir,
    image: config.registryImage,
    images,
    token: (grant) => keys.token('davit', grant),
    log,
  });
  const lego = createLego({ davitId: id, docker: client(), dataDir, images });
  return { engine, proxy, accessLog, registry, lego, platform: images };
}

/** Returns an object that can remove all Docker objects of an instance, or `null` if Docker is simulated. */
export function chooseRemoval({ engine, dockerHost }: Config, davitId: string): InstanceRemoval | null {
  return engine === 'memory' ? null : createDockerRemoval({ davitId, dockerHost });
}
