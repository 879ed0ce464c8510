import type { HostAccess } from '../host-access.ts';
import type { Image, RegistryAuth } from '../image.ts';
import type { NameRecord, Network } from '../network.ts';
import type { DiskUse, Volume } from '../volume.ts';
import type { Behaviour } from './behaviour.ts';
import type { MemoryContainer } from './container.ts';
import { postgresPrograms, type SimulatedRows } from './postgres-programs.ts';
import type { SimulatedProgram } from './simulated-program.ts';

export interface MemoryImage extends Image {
  /** Build time of the image in milliseconds since the epoch. */
  builtAt: number;
  references: Set<string>;
  behaviour: Behaviour;
}

/**
 * State of the simulated Docker, such as containers and images. To simulate a restart of the daemon, a test passes the
 * same state to a second daemon.
 */
export interface SimulatedEngineState {
  containers: Map<string, MemoryContainer>;
  networks: Map<string, Network>;
  /** Images in the simulated Docker, by image id. */
  images: Map<string, MemoryImage>;
  /** Images in simulated registries, by image reference. */
  registry: Map<string, MemoryImage>;
  /**
   * Map from registry host to the only credentials that the registry accepts. Registries without an entry accept any
   * credentials, or none.
   */
  locked: Map<string, RegistryAuth>;
  /** Map from image tag to image id. The tags protect images from deletion while this Davit instance needs them. */
  held: Map<string, string>;
  /** Map of the published internal DNS names. A key consists of the network name, a space and the DNS name. */
  names: Map<string, NameRecord>;
  /**
   * Services of the server that containers may connect to. `null` means that `limitHostAccess` was never called and all
   * connections are allowed.
   */
  hostAccess: HostAccess | null;
  volumes: Map<string, Volume>;
  /** Map from volume name to the size of the simulated volume's content in bytes. A missing entry means 0. */
  volumeBytes: Map<string, number>;
  /** Row counts of the tables in simulated PostgreSQL databases. */
  rows: SimulatedRows;
  /**
   * Map from program name to the function that simulates the program in a container. By default, the map contains the
   * PostgreSQL programs. Tests can replace them.
   */
  programs: Map<string, SimulatedProgram>;
  /** Programs that `execute` is running inside containers. */
  executions: Set<{ container: string; program: string }>;
  /**
   * TCP servers that simulate programs in containers. The map's key is the port in the container. The value is the port
   * on 127.0.0.1.
   */
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
