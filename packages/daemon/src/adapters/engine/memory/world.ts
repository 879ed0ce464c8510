import type { HostAccess } from '../host-access.ts';
import type { Image, RegistryAuth } from '../image.ts';
import type { NameRecord, Network } from '../network.ts';
import type { DiskUse, Volume } from '../volume.ts';
import type { Behaviour } from './behaviour.ts';
import type { MemoryContainer } from './container.ts';
import { postgresPrograms, type SimulatedRows } from './postgres-programs.ts';
import type { SimulatedProgram } from './simulated-program.ts';

export interface MemoryImage extends Image {
  references: Set<string>;
  behaviour: Behaviour;
}

/** Everything a simulated engine remembers. It outlives every daemon that uses it. */
export interface MemoryWorld {
  containers: Map<string, MemoryContainer>;
  networks: Map<string, Network>;
  /** By id. */
  images: Map<string, MemoryImage>;
  /** What a pull would find, by reference. */
  registry: Map<string, MemoryImage>;
  /** The only credentials that a registry takes, by host; the others take any, and none. */
  locked: Map<string, RegistryAuth>;
  /** Tags of ours, with the image's id. */
  held: Map<string, string>;
  /** Published internal names, by network and name. */
  names: Map<string, NameRecord>;
  /** What containers may reach on the server; null: it was never limited. */
  hostAccess: HostAccess | null;
  volumes: Map<string, Volume>;
  /** What a volume holds; 0 unless a test says otherwise. */
  volumeBytes: Map<string, number>;
  /** What its databases have. */
  rows: SimulatedRows;
  /** What the programs do that tests have defined, by name; those of PostgreSQL until then. */
  programs: Map<string, SimulatedProgram>;
  /** What runs inside which container at present. */
  executions: Set<{ container: string; program: string }>;
  disk: DiskUse;
  nextId: number;
}

export function createWorld(): MemoryWorld {
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
    disk: { path: '/simulated', totalBytes: 100 * 1024 ** 3, freeBytes: 60 * 1024 ** 3 },
    nextId: 1,
  };
}
