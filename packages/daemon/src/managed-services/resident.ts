/**
 * A managed service ("resident" in identifiers) is a database or an object store that the instance runs for apps.
 * Each managed service has its own container, and a volume that outlives each container. This folder has the common
 * code. A value of {@link Resident} has the code that differs between databases and object stores.
 */
import type { ResourceChange } from '@davit/api';
import type { Group } from '../adapters/engine/group.ts';
import type { Network } from '../adapters/engine/network.ts';
import type { Reader, Tx } from '../db/store.ts';
import type { ManagedServicesDeps } from './deps.ts';

/** Columns that the rows of all managed services have. */
export interface ResidentRow {
  id: number;
  project: string;
  environment_id: number;
  environment: string;
  cpu: number | null;
  memory_bytes: number | null;
  /** Engine's name of the volume. */
  volume: string;
  wanted: 'running' | 'stopped';
  /**
   * State of the managed service. `hidden` means that it belongs to a task. Users, apps and reconcilers ignore a hidden
   * one.
   */
  state: 'making' | 'made' | 'failed' | 'hidden';
  /** Number of the current container. */
  generation: number;
  address: string | null;
  container_id: string | null;
  /** Engine's id of the image, or `null` before the image was found, made or pulled. */
  image_id: string | null;
  /** Properties that the container was made from. */
  applied: string | null;
  /** Actual limits of the container as JSON, which `limits.ts` reads and writes. `null` if there is no container. */
  container_limits: string | null;
  /** Reason why the managed service is not in its desired state. */
  reason: string | null;
  deleted_at: number | null;
  expires_at: number | null;
}

/** Last observed state. `silent` means that the server runs and does not answer. */
export type Seen = 'unknown' | 'ready' | 'silent' | 'down';

/** Changes of a row by tasks and reconcilers. */
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
  /** Project of the environment. A restore from the trash may change both, and its undo changes them back. */
  project_id?: number;
  project?: string;
  environment?: string;
  state?: Exclude<ResidentRow['state'], 'hidden'>;
  seen?: Seen;
  /** Published port of the server, or `null` if there is none. */
  port?: number | null;
}

/** Properties of the container that depend on the kind of managed service. */
export interface Serving extends Pick<Group, 'env' | 'args' | 'files'> {
  /** Path of the volume in the container. */
  dataPath: string;
  /** Port of the container that a published port leads to. */
  exposedPort: number;
}

/** One kind of managed service. */
export interface Resident<R extends ResidentRow, B extends ManagedServicesDeps> {
  /** Name of the kind in messages. */
  noun: 'database' | 'object store';
  /** Name of the kind in tasks and in fields of the log. */
  subject: 'database' | 'object_store';
  /** Name of the kind in labels of containers and volumes. It must not change, because existing ones have it. */
  label: 'database' | 'store';
  /** Whether users can read the logs of the container. */
  hasLogs: boolean;
  /** Returns all rows, including rows in the trash. */
  all(db: Reader): readonly R[];
  find(db: Reader, id: number): R | null;
  /** Changes a row. @param tell event to emit; absent if the change is not visible to users */
  change(tx: Tx, id: number, change: ResidentChange, tell?: { change: ResourceChange; at?: number }): void;
  /** Removes the row of a managed service whose data is gone. */
  forget(tx: Tx, row: R): void;
  reference(row: R): string;
  seen(row: R): Seen;
  port(row: R): number | null;
  /** Returns the name of a new volume. The names of containers begin with this name. */
  volumeName(davitId: string, id: number): string;
  stop(row: R): { signal: string; graceS: number };
  /** Returns the port that the server answers on in its environment. */
  listensOn(row: R): number;
  /**
   * Ensures that the engine has the image, and records the image.
   * @throws ImageNotFound, EngineRefused, EngineUnavailable
   */
  ensureImage(base: B, row: R, signal: AbortSignal): Promise<void>;
  /**
   * Returns comparable values that require a new container when they change. Limits are not included, because they can
   * change while the container runs.
   */
  madeOf(row: R): unknown;
  serving(base: B, row: R, network: Network): Serving;
  /**
   * Checks a server that accepts connections. Returns `null` if the server answers, otherwise the reason as a sentence
   * or an empty string.
   */
  problem(base: B, row: R, signal: AbortSignal): Promise<string | null>;
  /**
   * Applies the login rules of this version to a running server. Absent if there are no rules.
   * @returns `false` if only a new container with the same data can apply the rules
   */
  renewRules?(base: B, row: R, signal: AbortSignal): Promise<boolean>;
}
