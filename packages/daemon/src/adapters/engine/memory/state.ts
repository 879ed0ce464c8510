import type { HostAccess } from '../host-access.ts';
import type { Image, RegistryAuth } from '../image.ts';
import type { NameRecord, Network } from '../network.ts';
import type { DiskUse, Volume } from '../volume.ts';
import type { Behaviour } from './behaviour.ts';
import type { MemoryContainer } from './container.ts';
import { postgresPrograms, type SimulatedRows } from './postgres-programs.ts';
import type { SimulatedProgram } from './simulated-program.ts';

export interface MemoryImage extends Image {
  /** Time when the image was built, in milliseconds since the epoch. */
  builtAt: number;
  references: Set<string>;
  behaviour: Behaviour;
}

/**
 * State of the simulated Docker, such as its containers and images. A test can use the same state for a second daemon,
 * to simulate a restart of the daemon.
 */
export interface SimulatedEngineState {
  containers: Map<string, MemoryContainer>;
  networks: Map<string, Network>;
  /** Images in the simulated Docker, by image id. */
  images: Map<string, MemoryImage>;
  /** Images in simulated registries, by image reference. */
  registry: Map<string, MemoryImage>;
  /**
   * Map from registry host to the only credentials that this registry accepts. All other registries accept any
   * credentials, or none.
   */
  locked: Map<string, RegistryAuth>;
  /** Map from image tag to image id. The tags keep Docker from deleting the images that this Davit instance needs. */
  held: Map<string, string>;
  /** Map of the published internal DNS names. Each key is the network name, a space and the DNS name. */
  names: Map<string, NameRecord>;
  /**
   * Services of the server that containers may reach. `null` if `limitHostAccess` was never called, so that everything
   * is allowed.
   */
  hostAccess: HostAccess | null;
  volumes: Map<string, Volume>;
  /** Size in bytes of each simulated volume's content, by volume name. A missing entry means 0. */
  volumeBytes: Map<string, number>;
  /** Row counts of the tables in simulated PostgreSQL databases. */
  rows: SimulatedRows;
  /**
   * Map from program name to the function that simulates this program in a container. It contains the PostgreSQL
   * programs by default, and tests can replace them.
   */
  programs: Map<string, SimulatedProgram>;
  /** Programs that `execute` currently runs inside containers. */
  executions: Set<{ container: string; program: string }>;
  /** TCP servers that simulate programs in containers. Maps the port in the container to the port on 127.0.0.1. */
  listeners: Map<number, number>;
  disk: DiskUse;
  nextId: number;
}

export function createEngineState(): SimulatedEngineState {
  const rows: SimulatedRows = new Map();
  return {
    containers: new Map(),
    networks: new Map(),
    images: new Map(),
    registry: new Map(),
    locked: new Map(),
    held: new Map(),
    names: new Map(),
    hostAccess: null,
    volumes: new Map(),
    volumeBytes: new Map(),
    rows,
    programs: new Map(Object.entries(postgresPrograms(rows))),
    executions: new Set(),
    listeners: new Map(),
    disk: { path: '/simulated', totalBytes: 100 * 1024 ** 3, freeBytes: 60 * 1024 ** 3 },
    nextId: 1,
  };
}
