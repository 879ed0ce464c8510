import type { HostAccess } from '../host-access.ts';
import type { Image, RegistryAuth } from '../image.ts';
import type { DiskUse } from '../volume.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer } from './container.ts';
import type { ImageDefinition, MemoryImages } from './images.ts';
import type { MemoryInstances } from './instances.ts';
import type { SimulatedRows } from './postgres-programs.ts';
import type { SimulatedProgram } from './simulated-program.ts';
import type { Failure, Gate, Primitive, Switchboard } from './switchboard.ts';
import type { MemoryWorld } from './world.ts';

/** What a test may see and do behind the engine's back. */
export interface MemoryControls {
  /** Defines an image, or moves a reference to a new one as a pushed tag does. */
  addImage(reference: string, definition?: ImageDefinition): Image;
  /** Takes a reference out of the registry and the engine. */
  forgetImage(reference: string): void;
  /** Removes an image with every name that it has in the engine. @returns what loads it again, with the names */
  removeImage(id: string): () => void;
  /** From now on the registry of this host answers these credentials only. */
  lockRegistry(host: string, auth: RegistryAuth): void;
  /** How full the engine's disk is from now on. */
  setDisk(use: Partial<DiskUse>): void;
  /** How much a volume holds from now on. */
  fillVolume(name: string, bytes: number): void;
  /** Every container, oldest first. */
  containers(): Readonly<MemoryContainer>[];
  /** Takes the network away from a container that runs on. */
  cutOff(id: string): void;
  /** Pauses a container behind the platform's back. */
  freeze(id: string): void;
  /** @returns what brings a container back that is removed meanwhile, stopped, as a power loss soon after does */
  loseRemoval(id: string): () => void;
  /** The addresses that an internal name resolves to now, on one network or on any; none: it does not resolve. */
  resolve(name: string, network?: string): string[];
  /** What containers may reach on the server; null: it was never limited. */
  hostAccess(): HostAccess | null;
  /** Ends a running instance by itself, as a crash does; with `keepRunning` the engine starts it again. */
  kill(id: string, exit?: { exitCode?: number; oomKilled?: boolean }): void;
  /** Writes a line to an instance's logs. */
  writeLog(id: string, line: string, stream?: 'stdout' | 'stderr'): void;
  /**
   * What a program does from now on that is run inside instances by this name, the first word of its command without its
   * folder; in all of them, so that one that acts differently asks which one it runs in.
   */
  program(name: string, what: SimulatedProgram): void;
  /** How many rows the tables of PostgreSQL have that are on a volume; may be changed. */
  readonly rows: SimulatedRows;
  /** The names of the programs that run inside an instance now. */
  programsIn(id: string): string[];
  /** Makes calls fail: the next one unless told otherwise; `*` counts every primitive. */
  fail(primitive: Primitive | '*', failure?: Failure): void;
  clearFailures(): void;
  /** Holds the next call of a primitive until the gate is opened; several gates are taken in order. */
  pause(primitive: Primitive): Gate;
  /** False: every call is refused as unavailable. True again: watchers get a `resync`. */
  setAvailable(available: boolean): void;
  /** Every name of an image that the engine was given, as it was given, with what it showed to the registry. */
  readonly imageCalls: readonly ImageCall[];
  /** The calls made so far, in order. */
  readonly calls: readonly Primitive[];
  count(primitive: Primitive): number;
}

export interface ImageCall {
  primitive: 'findImage' | 'findRemoteImage' | 'pullImage';
  reference: string;
  auth: RegistryAuth | null;
}

interface Parts {
  world: MemoryWorld;
  bus: EventBus;
  board: Switchboard;
  images: MemoryImages;
  instances: MemoryInstances;
  now: () => Date;
  imageCalls: ImageCall[];
}

export function createControls({ world, bus, board, images, instances, now, imageCalls }: Parts): MemoryControls {
  return {
    addImage: (reference, definition) => images.add(reference, definition),
    forgetImage: (reference) => images.forget(reference),
    removeImage: (id) => images.remove(id),
    lockRegistry: (host, auth) => world.locked.set(host, auth),
    setDisk: (use) => {
      world.disk = { ...world.disk, ...use };
    },
    fillVolume: (name, bytes) => void world.volumeBytes.set(name, bytes),
    containers: () => [...world.containers.values()],
    cutOff: (id) => {
      const container = world.containers.get(id);
      if (container !== undefined) container.isCutOff = true;
    },
    freeze: (id) => instances.freeze(id),
    loseRemoval: (id) => {
      const container = world.containers.get(id);
      return () => {
        if (container !== undefined) world.containers.set(id, { ...container, state: 'exited' });
      };
    },
    resolve: (name, network) =>
      [...world.names.values()]
        .filter((record) => record.name === name && (network === undefined || record.network === network))
        .flatMap(({ addresses }) => addresses),
    hostAccess: () => world.hostAccess,
    kill: (id, { exitCode = 137, oomKilled = false } = {}) => instances.end(id, { exitCode, oomKilled }),
    writeLog: (id, line, stream = 'stdout') => {
      const container = world.containers.get(id);
      if (container === undefined) throw new TypeError(`there is no container ${id}`);
      container.logs.push({ at: now(), stream, line });
      bus.wake();
    },
    program: (name, what) => {
      world.programs.set(name, what);
    },
    rows: world.rows,
    programsIn: (id) => [...world.executions].filter(({ container }) => container === id).map(({ program }) => program),
    fail: (primitive, failure = {}) => board.fail(primitive, failure),
    clearFailures: () => board.clearFailures(),
    pause: (primitive) => board.gate(primitive),
    setAvailable: (available) => {
      const back = available && !board.available;
      board.available = available;
      if (back) bus.emit({ kind: 'resync' });
    },
    imageCalls,
    calls: board.calls,
    count: (primitive) => board.calls.filter((call) => call === primitive).length,
  };
}
