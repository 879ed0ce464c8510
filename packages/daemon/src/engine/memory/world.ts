import type { Group } from '../group.ts';
import type { Image, RegistryAuth } from '../image.ts';
import type { InstanceState } from '../instance.ts';
import type { ObjectKind } from '../labels.ts';
import type { LogLine } from '../logs.ts';
import type { Network } from '../network.ts';
import type { DiskUse, Volume } from '../volume.ts';
import type { Behaviour } from './behaviour.ts';
import type { SimulatedProgram } from './execute.ts';
import { postgresPrograms, type SimulatedRows } from './postgres-programs.ts';

/** A simulated container: what the engine would remember of it. */
export interface MemoryContainer {
  id: string;
  name: string;
  kind: ObjectKind;
  app: string;
  deployment: number | null;
  imageId: string;
  network: string;
  /** Null: a one-off, which nothing connects to. */
  address: string | null;
  env: Record<string, string>;
  command: string[] | null;
  args: string[] | null;
  limits: Group['limits'];
  stopSignal: string;
  volumes: Group['volumes'];
  tcpPorts: Group['tcpPorts'];
  files: Group['files'];
  behaviour: Behaviour;
  state: InstanceState;
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  startedAt: Date | null;
  restartPolicy: 'no' | 'unless-stopped';
  /** Probes since the last start. */
  probes: number;
  logs: LogLine[];
}

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
  /** What the internal names resolve to. */
  names: Map<string, string[]>;
  volumes: Map<string, Volume>;
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
    volumes: new Map(),
    rows,
    programs: new Map(Object.entries(postgresPrograms(rows))),
    executions: new Set(),
    disk: { path: '/simulated', totalBytes: 100 * 1024 ** 3, freeBytes: 60 * 1024 ** 3 },
    nextId: 1,
  };
}
