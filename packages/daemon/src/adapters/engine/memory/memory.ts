/**
 * Simulates Docker for tests and demos. Calls return immediately with deterministic results. The simulation gives the
 * same guarantees as the Docker adapter.
 */
import type { Engine, EngineInfo } from '../engine.ts';
import { EngineRefused } from '../errors.ts';
import type { Group, Limits } from '../group.ts';
import type { Image, RegistryAuth } from '../image.ts';
import { MADE_ENGINES, type MadeEngine, type MadeImage, madeReference } from '../made-images.ts';
import { assertDavitId, assertHostName, assertOwnName } from '../names.ts';
import type { NameRecord } from '../network.ts';
import type { OneOff } from '../one-off.ts';
import type { Probe } from '../probe.ts';
import type { StorageUse } from '../volume.ts';
import { EventBus } from './bus.ts';
import { openConnection } from './connection.ts';
import type { ImageCall, MemoryControls } from './controls.ts';
import { createControls } from './controls.ts';
import { execute } from './execute.ts';
import { MemoryImages } from './images.ts';
import { MemoryInstances } from './instances.ts';
import { readLastLines, readLogBatches } from './logs.ts';
import { MemoryNetworks } from './networks.ts';
import { runOneOff } from './one-off.ts';
import { checkRegistry } from './registry.ts';
import { createEngineState, type SimulatedEngineState } from './state.ts';
import type { Primitive } from './switchboard.ts';
import { Switchboard } from './switchboard.ts';
import { openTerminal } from './terminal.ts';
import { readUsage } from './usage.ts';
import { MemoryVolumes } from './volumes.ts';

export interface MemoryEngineOptions {
  /** Permanent id of the Davit instance. Default: `memory00`. */
  davitId?: string;
  /**
   * Images that exist when the simulation starts. The tag of an image determines the behavior of its containers (see
   * `behaviour.ts`).
   */
  images?: string[];
  /**
   * `true` if every image reference can be pulled, except references with the tag `missing`. Demos without Docker use
   * this option.
   */
  anyImage?: boolean;
  now?: () => Date;
}

/**
 * Simulated Docker with its state. If a test passes this object to a second daemon, the second daemon finds the
 * existing containers.
 */
export type MemoryEngine = Engine & { controls: MemoryControls };

export function createMemoryEngine(options: MemoryEngineOptions = {}): MemoryEngine {
  const { davitId = 'memory00', images: references = [], anyImage = false, now = () => new Date() } = options;
  assertDavitId(davitId);
  const state = createEngineState();
  const bus = new EventBus();
  const board = new Switchboard();
  const images = new MemoryImages(state, davitId, anyImage);
  const networks = new MemoryNetworks(state, davitId);
  const instances = new MemoryInstances(state, bus, davitId, now);
  const volumes = new MemoryVolumes(state, davitId, now);
  const imageCalls: ImageCall[] = [];
  const noted = (primitive: ImageCall['primitive'], reference: string, auth: RegistryAuth | null = null) => {
    imageCalls.push({ primitive, reference, auth });
  };
  for (const reference of references) images.add(reference);
  const call = <T>(primitive: Primitive, work: () => T | Promise<T>, signal?: AbortSignal) =>
    board.call(primitive, signal, work);

  return {
    kind: 'memory',
    capabilities: { simulated: true, liveLimits: true },
    controls: createControls({ world: state, bus, board, images, instances, now, imageCalls }),
    info: (signal) => call('info', () => INFO, signal),
    madeImages: () => call('madeImages', () => MADE),
    makeImage: (engine, version, signal) => call('makeImage', () => make(images, engine, version), signal),
    findImage: (reference, signal) => {
      noted('findImage', reference);
      return call('findImage', () => images.find(reference), signal);
    },
    findImageById: (id, signal) => call('findImageById', () => images.findById(id), signal),
    localTags: (repository, signal) => call('localTags', () => images.localTags(repository), signal),
    findRemoteImage: (reference, auth, signal) => {
      noted('findRemoteImage', reference, auth);
      return call('findRemoteImage', () => images.findRemote(reference, auth), signal);
    },
    pullImage: (reference, auth, signal) => {
      noted('pullImage', reference, auth);
      return call('pullImage', () => images.pull(reference, auth), signal);
    },
    nameImage: (imageId, reference) => call('nameImage', () => images.name(imageId, reference)),
    holdImage: (imageId, tag) => call('holdImage', () => images.hold(imageId, tag)),
    releaseImage: (tag) => call('releaseImage', () => images.release(tag)),
    heldImages: () => call('heldImages', () => images.held()),
    inspectHeld: () => call('inspectHeld', () => images.inspectHeld()),
    untagImage: (reference, imageId) => call('untagImage', () => images.untag(reference, imageId)),
    ensureNetwork: (name) => call('ensureNetwork', () => networks.ensure(name)),
    removeNetwork: (name) => call('removeNetwork', () => networks.remove(name)),
    networks: () => call('networks', () => networks.names()),
    createGroup: (group, signal) => call('createGroup', () => createAll(instances, group), signal),
    start: (id, signal) => call('start', () => instances.start(id), signal),
    keepRunning: (id) => call('keepRunning', () => instances.keepRunning(id)),
    waitExit: (id, signal) => call('waitExit', () => instances.waitExit(id, signal), signal),
    stop: (id, { signal }) => call('stop', () => instances.stop(id, signal)),
    remove: (id) => call('remove', () => instances.remove(id)),
    setLimits: (id, limits: Limits) => call('setLimits', () => instances.setLimits(id, limits)),
    observe: (signal) => call('observe', () => instances.observe(), signal),
    probe: (id, probe: Probe, signal) => call('probe', () => instances.probe(id, probe), signal),
    lastLines: (id, count) => call('lastLines', () => readLastLines(state, id, count)),
    // Calls that read logs are not recorded, because tests cannot control when the daemon reads logs.
    logBatches: (id, query) => deferred(available(board).then(() => readLogBatches(state, bus, id, query))),
    runOnce: (oneOff: OneOff, signal, onLine) =>
      call(
        'runOnce',
        () => {
          for (const { name } of [oneOff, ...oneOff.volumes]) assertOwnName(davitId, name);
          return runOneOff({ world: state, instances, bus, now }, oneOff, signal, onLine);
        },
        signal,
      ),
    openTerminal: (id, program, size, signal) =>
      call('openTerminal', () => openTerminal(state, bus, id, program, size, signal), signal),
    execute: (id, program, input) => call('execute', () => execute(state, bus, id, program, input), input.signal),
    openConnection: (id, port, signal) => call('openConnection', () => openConnection(state, id, port, signal), signal),
    usage: (ids, signal) => call('usage', () => readUsage(state, ids, now()), signal),
    ensureVolume: (name, app, owner = 'app') => call('ensureVolume', () => volumes.ensure(name, app, owner)),
    removeVolume: (name) => call('removeVolume', () => volumes.remove(name)),
    volumes: () => call('volumes', () => volumes.list()),
    volumeSize: (name, signal) => call('volumeSize', () => volumes.size(name), signal),
    storageUse: (signal) => call('storageUse', () => storageOf(state, images), signal),
    disk: () => call('disk', () => state.disk),
    checkRegistry: (host, auth, signal) => call('checkRegistry', () => checkRegistry(state, host, auth), signal),
    publishNames: (records) => call('publishNames', () => publish(state.names, records)),
    limitHostAccess: (access) =>
      call('limitHostAccess', () => {
        state.hostAccess = access;
      }),
    watch: (signal) => bus.watch(signal),
    // Keeps the simulated containers, because real containers also keep running when the daemon stops.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const MADE: MadeImage[] = [
  { engine: 'postgres', version: '15', reference: madeReference('postgres', '15') },
  { engine: 'mariadb', version: '10.11', reference: madeReference('mariadb', '10.11') },
  { engine: 'redis', version: '7.0', reference: madeReference('redis', '7.0') },
];

function make(images: MemoryImages, engine: MadeEngine, version: string): Image {
  const made = MADE.find((image) => image.engine === engine && image.version === version);
  if (made === undefined) throw new EngineRefused(`This server cannot build an image of ${engine} ${version}.`);
  const definition = { exposedPorts: [MADE_ENGINES[engine].port], digest: null };
  return images.find(made.reference) ?? images.add(made.reference, definition);
}

const INFO: EngineInfo = { id: 'simulated', version: 'simulated', cpus: 2, memoryBytes: 4 * 1024 ** 3 };

/**
 * Creates all containers of a group. If one container fails, the other containers are still created. Then the first
 * error is thrown.
 */
function createAll(instances: MemoryInstances, group: Group): string[] {
  const ids: string[] = [];
  const failures: unknown[] = [];
  for (const member of group.members) {
    try {
      ids.push(instances.create(group, member));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return ids;
}

function storageOf({ containers, volumes, volumeBytes }: SimulatedEngineState, images: MemoryImages): StorageUse {
  const held = images
    .inspectHeld()
    .map(({ imageId, sizeBytes }) => [imageId, [{ key: imageId, bytes: sizeBytes }]] as const);
  return {
    images: new Map(held),
    containers: [...containers.values()].map(({ app, behaviour }) => ({ app, bytes: behaviour.unnamedVolumeBytes })),
    volumes: new Map([...volumes.keys()].map((name) => [name, volumeBytes.get(name) ?? 0])),
  };
}

function publish(names: Map<string, NameRecord>, records: NameRecord[]): void {
  for (const { name } of records) assertHostName(name);
  names.clear();
  for (const record of records) if (record.addresses.length > 0) names.set(`${record.network} ${record.name}`, record);
}

async function available(board: Switchboard): Promise<void> {
  board.assertAvailable();
}

async function* deferred<T>(lines: Promise<AsyncIterable<T>>): AsyncGenerator<T> {
  yield* await lines;
}
