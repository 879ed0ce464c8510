/**
 * Docker adapter for one server. The adapter runs plain containers on bridge networks through the Docker Engine API.
 *
 * The adapter stores no state. Its caches contain only properties that never change and the last observed container
 * states. The adapter does not use Swarm services, because Swarm would decide when to replace a replica.
 */
import { join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { connectTcp } from '../connect-tcp.ts';
import type { BareEngine } from '../engine.ts';
import { EngineRefused, ImageNotFound } from '../errors.ts';
import type { Image } from '../image.ts';
import { MADE_ENGINES, type MadeEngine } from '../made-images.ts';
import { assertDavitId } from '../names.ts';
import type { Network } from '../network.ts';
import { PlatformImageRefused } from '../platform-images.ts';
import type { Probe, ProbeResult } from '../probe.ts';
import type { DockerClient } from './client/client.ts';
import { createDockerClient } from './client/client.ts';
import { removeInstance, stopInstance, waitExit } from './containers/ending.ts';
import { watchEvents } from './containers/events.ts';
import { DockerInstances } from './containers/instances.ts';
import { DockerObserver } from './containers/observe.ts';
import { runOneOff } from './containers/one-off.ts';
import type { DockerContext, Log } from './context.ts';
import { DockerImages } from './images/images.ts';
import { type DockerPlatformImages, sharedImages } from './images/platform-images.ts';
import { readLogBatches } from './logs/batches.ts';
import { readLastLines } from './logs/last-lines.ts';
import { MadeImages } from './made/images.ts';
import { madeRecipe } from './made/recipes.ts';
import { NAMES_IMAGE, NamesContainer } from './names/container.ts';
import { NamesFolder } from './names/folder.ts';
import { InternalNames } from './names/internal-names.ts';
import { DockerFirewall, FIREWALL_IMAGE } from './networks/firewall.ts';
import { DockerNetworks } from './networks/networks.ts';
import { DockerExec } from './programs/exec.ts';
import { execute } from './programs/execute.ts';
import { probeHttp, probeTcp } from './programs/probe.ts';
import { openTerminal } from './programs/terminal.ts';
import { ServerCapacity } from './usage/server-capacity.ts';
import { DockerUsage } from './usage/usage.ts';
import { readDisk } from './volumes/disk.ts';
import { DockerStorage } from './volumes/storage.ts';
import { DockerVolumes } from './volumes/volumes.ts';

export interface DockerEngineOptions {
  davitId: string;
  /** Address of Docker in the format of the variable DOCKER_HOST, or `null` for the default socket. */
  dockerHost: string | null;
  /**
   * Address pool in CIDR form, for example `10.208.0.0/12`. Each environment's network gets a /24 subnet from the pool.
   */
  networkPool: string;
  /**
   * Path of Davit's data directory on Docker's server. The container of the DNS resolver mounts a folder of this
   * directory.
   */
  dataDir: string;
  /**
   * Memory in bytes that is reserved for Davit and the system. Containers without a memory limit cannot use this
   * memory. Default: 768 MiB.
   */
  platformReserveBytes?: number;
  /**
   * Source of the platform images for the DNS resolver, the firewall and databases. By default, all Davit instances on
   * a Docker Engine share these images.
   */
  images?: DockerPlatformImages;
  log?: Log;
}

const MADE_ENGINE_NAMES = Object.keys(MADE_ENGINES) as MadeEngine[];

const SILENT: Log = { warn: () => undefined, info: () => undefined };

/** Creates the Docker adapter. The function sends no request to Docker. */
export function createDockerEngine(options: DockerEngineOptions): BareEngine {
  const { davitId, dockerHost, networkPool, dataDir, platformReserveBytes, log = SILENT } = options;
  assertDavitId(davitId);
  const client: DockerClient = createDockerClient(dockerHost);
  const context: DockerContext = { davitId, client, log };
  const machine = new ServerCapacity(context, platformReserveBytes);
  const images = new DockerImages(context);
  const source = options.images ?? sharedImages(client);
  const made = new MadeImages(source);
  const networks = new DockerNetworks(context, networkPool);
  const instances = new DockerInstances(context, networks, machine);
  const observer = new DockerObserver(context, instances);
  const exec = new DockerExec(context);
  const folder = new NamesFolder(join(resolve(dataDir), 'names'));
  const volumes = new DockerVolumes(context);
  const storage = new DockerStorage(context);
  const usage = new DockerUsage(context, instances, machine);
  const resolver = new NamesContainer(context, instances, networks, {
    folder: folder.path,
    images: source,
    pool: networkPool,
  });
  const firewall = new DockerFirewall(context, networks, source);
  const names = new InternalNames(resolver, networks, folder);

  async function rollOutResolver(): Promise<void> {
    await resolver.ensure();
    if (!(await names.isAnswering()))
      throw new PlatformImageRefused(`The DNS resolver ${resolver.name} does not respond.`);
  }
  options.images?.register({ recipe: NAMES_IMAGE, rollOut: rollOutResolver });
  /*
   * The firewall image has no `rollOut` function, because the firewall has no container that keeps running. Each
   * firewall change starts a new container from the current firewall image.
   */
  options.images?.register({ recipe: FIREWALL_IMAGE });
  for (const engine of MADE_ENGINE_NAMES) options.images?.register({ recipe: madeRecipe(engine) });

  async function ensureNetwork(name: string): Promise<Network> {
    const { network, connected } = await networks.ensure(name);
    if (!connected.includes(resolver.name)) await names.join(network);
    return network;
  }

  async function removeNetwork(name: string): Promise<void> {
    const found = await networks.find(name);
    if (found === null) return;
    const others = found.connected.filter((one) => one !== resolver.name);
    /*
     * `leave` must not remove the DNS resolver while other containers use the network, because these containers need
     * the DNS resolver.
     */
    if (others.length > 0)
      throw new EngineRefused(
        `The network ${name} cannot be removed, because these containers still use it: ${others.join(', ')}.`,
      );
    await names.leave(found.network);
    await networks.remove(name);
  }

  async function probe(id: string, look: Probe, signal?: AbortSignal): Promise<ProbeResult> {
    const facts = await instances.findFacts(id, signal);
    if (facts === null) return { ok: false, reason: 'the container does not exist anymore' };
    if (look.kind === 'command') {
      const command = await images.healthcheck(facts.imageId, signal);
      if (command === null) return { ok: false, reason: 'the image has no HEALTHCHECK' };
      return exec.probe(id, command, look.timeoutMs, signal);
    }
    if (facts.address === null) return { ok: false, reason: 'the container has no address' };
    return look.kind === 'http' ? probeHttp(facts.address, look, signal) : probeTcp(facts.address, look, signal);
  }

  async function openConnection(id: string, port: number, signal: AbortSignal): Promise<Duplex> {
    const { address } = await instances.facts(id, 'connect to container', signal);
    if (address === null) throw new EngineRefused('The container has no address, because it is not running.');
    return connectTcp(address, port, signal);
  }

  async function makeImage(engine: MadeEngine, version: string, signal: AbortSignal): Promise<Image> {
    const imageId = await made.make(engine, version, signal);
    const image = await images.findById(imageId, signal);
    if (image === null)
      throw new ImageNotFound(
        `Docker does not have the image ${imageId} that Davit just built. Another program may have removed it.`,
      );
    return image;
  }

  return {
    kind: 'docker',
    capabilities: { simulated: false, liveLimits: true },
    info: (signal) => machine.info(signal),
    madeImages: () => made.list(),
    makeImage,
    findImage: (reference, signal) => images.find(reference, signal),
    findImageById: (id, signal) => images.findById(id, signal),
    localTags: (repository, signal) => images.localTags(repository, signal),
    findRemoteImage: (reference, auth, signal) => images.findRemote(reference, auth, signal),
    pullImage: (reference, auth, signal) => images.pull(reference, auth, signal),
    nameImage: (imageId, reference) => images.name(imageId, reference),
    holdImage: (imageId, tag) => images.hold(imageId, tag),
    releaseImage: (tag) => images.release(tag),
    heldImages: () => images.held(),
    inspectHeld: () => images.inspectHeld(),
    untagImage: (reference, imageId) => images.untag(reference, imageId),
    ensureNetwork,
    removeNetwork,
    networks: async () => (await networks.list()).map((network) => network.name),
    createGroup: (group, signal) => instances.createGroup(group, signal),
    start: (id, signal) => instances.start(id, signal),
    keepRunning: (id) => instances.keepRunning(id),
    waitExit: (id, signal) => waitExit({ context, instances }, id, signal),
    stop: (id, stop) => stopInstance({ context, instances }, id, stop),
    remove: (id) => removeInstance({ context, instances }, id),
    setLimits: (id, limits) => instances.setLimits(id, limits),
    observe: (signal) => observer.observe(signal),
    probe,
    lastLines: (id, count) => readLastLines(context, instances, id, count),
    logBatches: (id, query) => readLogBatches(context, instances, id, query),
    runOnce: (oneOff, signal, onLine) => runOneOff(context, instances, networks, oneOff, signal, onLine),
    openTerminal: (id, program, size, signal) => openTerminal(context, instances, id, program, size, signal),
    execute: (id, program, input) => execute(context, instances, id, program, input),
    openConnection,
    usage: (ids, signal) => usage.read(ids, signal),
    ensureVolume: (name, app, owner = 'app') => volumes.ensure(name, app, owner),
    removeVolume: (name) => volumes.remove(name),
    volumes: () => volumes.list(),
    volumeSize: (name, signal) => volumes.size(name, signal),
    storageUse: (signal) => storage.measure(signal),
    disk: () => readDisk(context),
    publishNames: (records) => names.publish(records),
    limitHostAccess: (access) => firewall.set(access),
    watch: (signal) => watchEvents(context, observer, signal),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
