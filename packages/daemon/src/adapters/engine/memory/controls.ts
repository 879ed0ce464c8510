import type { HostAccess } from '../host-access.ts';
import type { Image, RegistryAuth } from '../image.ts';
import type { DiskUse } from '../volume.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer } from './container.ts';
import type { ImageDefinition, MemoryImages } from './images.ts';
import type { MemoryInstances } from './instances.ts';
import type { SimulatedRows } from './postgres-programs.ts';
import type { SimulatedProgram } from './simulated-program.ts';
import type { SimulatedEngineState } from './state.ts';
import type { Failure, Gate, GateOptions, Primitive, Switchboard } from './switchboard.ts';

/**
 * Methods that let tests read and change the state of the simulated Docker. The `Engine` interface does not contain
 * these methods.
 */
export interface MemoryControls {
  /**
   * Adds an image to the simulated Docker. If another image already has this reference, the reference moves to the new
   * image, as in a repeated `docker push`.
   */
  addImage(reference: string, definition?: ImageDefinition): Image;
  /** Removes an image reference from the registry and from the simulated Docker. */
  forgetImage(reference: string): void;
  /**
   * Removes an image and all its tags from the simulated Docker.
   * @returns function that restores the image and its tags
   */
  removeImage(id: string): () => void;
  /** Makes a simulated registry accept only this user name and password. */
  lockRegistry(host: string, auth: RegistryAuth): void;
  setDisk(use: Partial<DiskUse>): void;
  /** Sets the size in bytes that the simulated Docker reports for a volume's content. */
  fillVolume(name: string, bytes: number): void;
  /** Returns all simulated containers, oldest first. */
  containers(): Readonly<MemoryContainer>[];
  /** Disconnects a running simulated container from its network. */
  cutOff(id: string): void;
  /** Pauses a simulated container, like `docker pause`. */
  freeze(id: string): void;
  /**
   * Removes a simulated container, and simulates a power loss before Docker wrote the removal to disk.
   * @returns function that restores the container in the stopped state
   */
  loseRemoval(id: string): () => void;
  /**
   * Returns the addresses of an internal DNS name on one network, or on all networks. Returns an empty list if the name
   * does not resolve.
   */
  resolve(name: string, network?: string): string[];
  /**
   * Returns the services of the server that containers may connect to. `null` means all services, because
   * `limitHostAccess` was never called.
   */
  hostAccess(): HostAccess | null;
  /**
   * Ends a running simulated container as if its process crashed. A container with the restart policy `unless-stopped`
   * starts again.
   */
  kill(id: string, exit?: { exitCode?: number; oomKilled?: boolean }): void;
  writeLog(id: string, line: string, stream?: 'stdout' | 'stderr'): void;
  /**
   * Adds a simulated program to all simulated containers. The program is found by the base name of a command. For
   * example, `/usr/bin/psql` runs the program `psql`.
   */
  program(name: string, what: SimulatedProgram): void;
  /** Row counts of the tables in simulated PostgreSQL databases, by volume name. Tests can change the numbers. */
  readonly rows: SimulatedRows;
  /** Redirects connections to a port of all simulated containers to a TCP server on 127.0.0.1. */
  listen(port: number, localPort: number): void;
  /** Returns the names of the simulated programs that `execute` is running inside a container. */
  programsIn(id: string): string[];
  /** Makes calls of an `Engine` method fail. By default, only the next call fails. `*` means all `Engine` methods. */
  fail(primitive: Primitive | '*', failure?: Failure): void;
  clearFailures(): void;
  /**
   * Blocks the next call of an `Engine` method until the test opens the returned gate. If a test creates several gates,
   * each gate blocks one call, in order.
   */
  pause(primitive: Primitive, options?: GateOptions): Gate;
  /**
   * Sets whether the simulated Docker responds. If set to `false`, all calls fail with EngineUnavailable. If set to
   * `true` again, all watchers receive `resync`.
   */
  setAvailable(available: boolean): void;
  /**
   * Image references and registry credentials that the tested code passed to the simulated Docker. Each image lookup or
   * pull adds one item.
   */
  readonly imageCalls: readonly ImageCall[];
  /** Names of all called `Engine` methods, in order. */
  readonly calls: readonly Primitive[];
  count(primitive: Primitive): number;
}

export interface ImageCall {
  primitive: 'findImage' | 'findRemoteImage' | 'pullImage';
  reference: string;
  auth: RegistryAuth | null;
}

interface Parts {
  world: SimulatedEngineState;
  bus: EventBus;
  board: Switchboard;
  images: MemoryImages;
  instances: MemoryInstances;
  now: () => Date;
  imageCalls: ImageCall[];
}

export function createControls({
  world: state,
  bus,
  board,
  images,
  instances,
  now,
  imageCalls,
}: Parts): MemoryControls {
  return {
    addImage: (reference, definition) => images.add(reference, definition),
    forgetImage: (reference) => images.forget(reference),
    removeImage: (id) => images.remove(id),
    lockRegistry: (host, auth) => state.locked.set(host, auth),
    setDisk: (use) => {
      state.disk = { ...state.disk, ...use };
    },
    fillVolume: (name, bytes) => void state.volumeBytes.set(name, bytes),
    containers: () => [...state.containers.values()],
    cutOff: (id) => {
      const container = state.containers.get(id);
      if (container !== undefined) container.isCutOff = true;
    },
    freeze: (id) => instances.freeze(id),
    loseRemoval: (id) => {
      const container = state.containers.get(id);
      return () => {
        if (container !== undefined) state.containers.set(id, { ...container, state: 'exited' });
      };
    },
    resolve: (name, network) =>
      [...state.names.values()]
        .filter((record) => record.name === name && (network === undefined || record.network === network))
        .flatMap(({ addresses }) => addresses),
    hostAccess: () => state.hostAccess,
    kill: (id, { exitCode = 137, oomKilled = false } = {}) => instances.end(id, { exitCode, oomKilled }),
    writeLog: (id, line, stream = 'stdout') => {
      const container = state.containers.get(id);
      if (container === undefined) throw new TypeError(`Docker has no container ${id}.`);
      container.logs.push({ at: now(), stream, line });
      bus.wake();
    },
    program: (name, what) => {
      state.programs.set(name, what);
    },
    rows: state.rows,
    listen: (port, localPort) => {
      state.listeners.set(port, localPort);
    },
    programsIn: (id) => [...state.executions].filter(({ container }) => container === id).map(({ program }) => program),
    fail: (primitive, failure = {}) => board.fail(primitive, failure),
    clearFailures: () => board.clearFailures(),
    pause: (primitive, options) => board.gate(primitive, options),
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
