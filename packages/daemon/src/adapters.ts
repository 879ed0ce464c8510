import type { Logger } from '@davit/service';
import { RegistryKeys } from './auth/registry-keys.ts';
import { createLego } from './certificates/lego/debian-lego.ts';
import type { Lego } from './certificates/lego/lego.ts';
import type { Config } from './config/config.ts';
import { createDockerClient } from './engine/docker/client.ts';
import { createDockerEngine } from './engine/docker/docker.ts';
import type { Engine } from './engine/engine.ts';
import { EngineRefused, EngineUnavailable } from './engine/errors.ts';
import type { AccessLog } from './proxy/access-log.ts';
import { createAccessLogReader } from './proxy/haproxy/access-log-reader.ts';
import { createHaproxy } from './proxy/haproxy/haproxy.ts';
import type { Proxy } from './proxy/proxy.ts';
import { createDistribution } from './registry/distribution/distribution.ts';
import type { ImageRegistry } from './registry/registry.ts';
import type { State } from './state.ts';
import { readSetting, writeSetting } from './store/settings.ts';

/** The engine, the proxy and the registry that an instance works with. */
export interface Adapters {
  engine: Engine;
  proxy: Proxy;
  /** What the proxy tells of requests. */
  accessLog: AccessLog;
  registry: ImageRegistry;
  /** What writes records of domains; absent or null: nothing can here. */
  lego?: Lego | null;
}

/** The instance cannot start on the engine it is meant for; the message says what to do. */
export class EngineNotUsable extends Error {
  override name = 'EngineNotUsable';
}

const KIND = 'engine';

/**
 * Chooses the engine: the one of the first start, for ever; at the first start the one that was asked for, or with
 * `auto` Docker when it answers, else the simulated one.
 * @throws EngineNotUsable
 */
export async function chooseAdapters(
  config: Config,
  state: State,
  log: Logger,
): Promise<Adapters & { note: string | null }> {
  const fixed = readSetting(state.store, KIND);
  if (fixed !== undefined && config.engine !== 'auto' && config.engine !== fixed) {
    throw new EngineNotUsable(
      `This data directory belongs to the engine ${fixed}: start it with DAVIT_ENGINE=${fixed}, or use another data directory.`,
    );
  }
  const wanted = fixed ?? config.engine;
  if (wanted === 'memory') return fix(state, await memoryAdapters(state), null);
  const docker = dockerAdapters(config, state, log);
  try {
    await docker.engine.info();
  } catch (error) {
    if (!(error instanceof EngineUnavailable) && !(error instanceof EngineRefused)) throw error;
    if (fixed !== undefined && error instanceof EngineUnavailable) return { ...docker, note: error.message };
    await docker.engine[Symbol.asyncDispose]();
    if (wanted === 'docker' || error instanceof EngineRefused)
      throw new EngineNotUsable(error.message, { cause: error });
    return fix(state, await memoryAdapters(state), `${error.message} Nothing real will run: apps are simulated.`);
  }
  return fix(state, docker, null);
}

function fix({ store }: State, adapters: Adapters, note: string | null): Adapters & { note: string | null } {
  store.tx((tx) => writeSetting(tx, KIND, adapters.engine.kind));
  return { ...adapters, note };
}

/** Imported here: an instance with a real engine needs none of it. */
async function memoryAdapters({ id }: State): Promise<Adapters> {
  const { createMemoryEngine } = await import('./engine/memory/memory.ts');
  const { createMemoryAccessLog } = await import('./proxy/memory/memory-access-log.ts');
  const { createMemoryProxy } = await import('./proxy/memory/memory-proxy.ts');
  const { createMemoryRegistry } = await import('./registry/memory/memory-registry.ts');
  return {
    engine: createMemoryEngine({ davitId: id, anyImage: true }),
    proxy: createMemoryProxy(),
    accessLog: createMemoryAccessLog(),
    registry: createMemoryRegistry(),
  };
}

function dockerAdapters(config: Config, { id, store, sealer }: State, log: Logger): Adapters {
  const { dockerHost, networkPool, dataDir } = config;
  const engine = createDockerEngine({ davitId: id, dockerHost, networkPool, dataDir, log });
  // Only this instance's proxy can write it, and it is the same after every start.
  const told = { port: config.accessPort.port, token: sealer.mac('access log', id).slice(0, 16) };
  const accessLog = createAccessLogReader(told);
  const proxy = createHaproxy({
    davitId: id,
    docker: createDockerClient(dockerHost),
    dataDir,
    httpPort: config.httpPort.port,
    httpsPort: config.httpsPort.port,
    image: config.proxyImage,
    accessLog: { ...told, settle: (stands) => accessLog.settle(stands) },
    log,
  });
  const keys = new RegistryKeys({ davitId: id, store, sealer, now: Date.now });
  const registry = createDistribution({
    davitId: id,
    docker: createDockerClient(dockerHost),
    dataDir,
    image: config.registryImage,
    token: (grant) => keys.token('davit', grant === 'catalog' ? grant : [grant]),
    log,
  });
  const lego = createLego({ davitId: id, docker: createDockerClient(dockerHost), dataDir });
  return { engine, proxy, accessLog, registry, lego };
}
