/**
 * A resident is what the instance runs for apps in a container of its own, with its data in a volume that outlives each
 * container: a database, or an object store. What is the same for all of them stands in this folder; what differs is a value
 * of this shape.
 */
import type { ResourceChange } from '@davit/api';
import type { Group } from '../adapters/engine/group.ts';
import type { Network } from '../adapters/engine/network.ts';
import type { Reader, Tx } from '../db/store.ts';
import type { ManagedServicesDeps } from './deps.ts';

/** What is on record of each. */
export interface ResidentRow {
  id: number;
  project: string;
  environment_id: number;
  environment: string;
  cpu: number | null;
  memory_bytes: number | null;
  /** The engine's name of it. */
  volume: string;
  wanted: 'running' | 'stopped';
  /** `hidden`: a task's own, which nobody else finds, keeps or removes. */
  state: 'making' | 'made' | 'failed' | 'hidden';
  /** Numbers its containers. */
  generation: number;
  address: string | null;
  container_id: string | null;
  /** Null until it was found, made or pulled. */
  image_id: string | null;
  /** What its container was made of. */
  applied: string | null;
  /** JSON of the limits that its container has: `limits.ts` reads and writes it. Null: there is no container. */
  container_limits: string | null;
  /** Why it is not as it should be. */
  reason: string | null;
  deleted_at: number | null;
  expires_at: number | null;
}

/** What was last seen of one. `silent`: it runs and does not answer. */
export type Seen = 'unknown' | 'ready' | 'silent' | 'down';

/** What tasks and reconcilers change of a record. */
export interface ResidentChange
  extends Partial<
    Pick<
      ResidentRow,
      | 'environment_id'
      | 'wanted'
      | 'generation'
      | 'address'
      | 'container_id'
      | 'image_id'
      | 'applied'
      | 'container_limits'
      | 'reason'
      | 'deleted_at'
      | 'expires_at'
    >
  > {
  name?: string;
  /** With its environment: one that was in the trash may go to another project, and back. */
  project_id?: number;
  project?: string;
  environment?: string;
  state?: Exclude<ResidentRow['state'], 'hidden'>;
  seen?: Seen;
  /** The machine's, on which it is reached from outside; null: none. */
  port?: number | null;
}

/** What its container has of its own. */
export interface Serving extends Pick<Group, 'env' | 'args' | 'files'> {
  /** Where the volume goes. */
  dataPath: string;
  /** What a port of the machine leads to. */
  exposedPort: number;
}

/** One kind of residents. */
export interface Resident<R extends ResidentRow, B extends ManagedServicesDeps> {
  /** What it is called to people, at the engine, and by tasks. */
  noun: 'database' | 'store';
  /** Whether people can read what its container says. */
  hasLogs: boolean;
  /** Every one, those in the trash too. */
  all(db: Reader): readonly R[];
  find(db: Reader, id: number): R | null;
  /** @param tell what is told of it to who follows; absent: nothing that anybody sees has changed */
  change(tx: Tx, id: number, change: ResidentChange, tell?: { change: ResourceChange; at?: number }): void;
  /** For one whose data is gone. */
  forget(tx: Tx, row: R): void;
  reference(row: R): string;
  seen(row: R): Seen;
  port(row: R): number | null;
  /** What its volume is called when it is made, and its containers with their generation. */
  volumeName(davitId: string, id: number): string;
  stop(row: R): { signal: string; graceS: number };
  /** What it answers on, inside its environment. */
  listensOn(row: R): number;
  /** Has its image at the engine, and on record. @throws ImageNotFound, EngineRefused, EngineUnavailable */
  ensureImage(base: B, row: R, signal: AbortSignal): Promise<void>;
  /** What a container has to be made anew for, in values that can be compared; limits are changed while it runs. */
  madeOf(row: R): unknown;
  serving(base: B, row: R, network: Network): Serving;
  /** Of one that takes connections. Null: it answers; else a sentence that says why not, or nothing. */
  problem(base: B, row: R, signal: AbortSignal): Promise<string | null>;
  /**
   * Applies this version's rules for logins to a running server. Absent if there are none.
   * @returns false where only a new container of the same data can
   */
  renewRules?(base: B, row: R, signal: AbortSignal): Promise<boolean>;
}
