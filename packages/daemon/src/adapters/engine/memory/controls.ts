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

/** Actions and views for tests that bypass the engine interface. */
export interface MemoryControls {
  /** Defines an image, or moves a reference to a new image, like a push of the same tag. */
  addImage(reference: string, definition?: ImageDefinition): Image;
  /** Removes a reference from the registry and the engine. */
  forgetImage(reference: string): void;
  /**
   * Removes an image with all its names from the engine.
   * @returns function that loads the image and its names again
   */
  removeImage(id: string): () => void;
  /** Makes the registry of a host accept only these credentials. */
  lockRegistry(host: string, auth: RegistryAuth): void;
  /** Sets the use of the engine's disk. */
  setDisk(use: Partial<DiskUse>): void;
  /** Sets the size of a volume's content. */
  fillVolume(name: string, bytes: number): void;
  /** Returns all containers, oldest first. */
  containers(): Readonly<MemoryContainer>[];
  /** Disconnects a running container from its network. */
  cutOff(id: string): void;
  /** Pauses a container without a call of the engine interface. */
  freeze(id: string): void;
  /**
   * Simulates a power loss soon after a removal.
   * @returns function that restores the removed container as a stopped container
   */
  loseRemoval(id: string): () => void;
  /**
   * Returns the addresses that an internal name currently resolves to, on one network or on all networks. Returns an
   * empty list if the name does not resolve.
   */
  resolve(name: string, network?: string): string[];
  /** Returns what containers may reach on the server, or `null` if no limits were set. */
  hostAccess(): HostAccess | null;
  /** Ends a running container like a crash. After `keepRunning`, the engine restarts the container. */
  kill(id: string, exit?: { exitCode?: number; oomKilled?: boolean }): void;
  /** Writes a line to the log of a container. */
  writeLog(id: string, line: string, stream?: 'stdout' | 'stderr'): void;
  /**
   * Defines a program for all containers. A command runs the program if its first word without the folder is `name`. A
   * program that depends on the container must check which container it runs in.
   */
  program(name: string, what: SimulatedProgram): void;
  /** Number of rows in PostgreSQL tables by volume. Tests can change the numbers. */
  readonly rows: SimulatedRows;
  /** Returns the names of the programs that currently run inside a container. */
  programsIn(id: string): string[];
  /** Makes calls fail, by default only the next one. `*` applies to all primitives. */
  fail(primitive: Primitive | '*', failure?: Failure): void;
  clearFailures(): void;
  /** Blocks the next call of a primitive until the gate is opened. Several gates block calls in order. */
  pause(primitive: Primitive): Gate;
  /**
   * Sets whether the engine answers. `false` refuses all calls as unavailable, and a change to `true` sends a `resync`
   * to watchers.
   */
  setAvailable(available: boolean): void;
  /** Image references of all calls in their original spelling, with the credentials for the registry. */
  readonly imageCalls: readonly ImageCall[];
  /** All calls so far, in order. */
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
