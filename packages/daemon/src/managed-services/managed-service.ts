/**
 * A managed service is a database or an object store that the instance runs for apps. It
 * has one container, and a volume that stays when the container is replaced. This folder has the code that is common
 * to databases and object stores. The interface `ManagedService` has the operations that differ.
 */
import type { ResourceChange } from '@davit/api';
import type { Group } from '../adapters/engine/group.ts';
import type { Network } from '../adapters/engine/network.ts';
import type { Reader, Tx } from '../db/store.ts';
import type { ManagedServicesDeps } from './deps.ts';

/** Columns that the tables `databases` and `stores` have in common. */
export interface ManagedServiceRow {
  id: number;
  project: string;
  environment_id: number;
  environment: string;
  cpu: number | null;
  memory_bytes: number | null;
  /** Docker name of the volume with the data. */
  volume: string;
  wanted: 'running' | 'stopped';
  /**
   * `making`: being created. `made`: usable. `failed`: the creation failed. `hidden`: a temporary service of a task,
   * which users, apps and reconcilers ignore.
   */
  state: 'making' | 'made' | 'failed' | 'hidden';
  /** Generation number of the current container. Each new container gets the next number. */
  generation: number;
  address: string | null;
  container_id: string | null;
  /** Docker image id, or `null` before the image was found, built or pulled. */
  image_id: string | null;
  /** JSON of the values with which the container was created. */
  applied: string | null;
  /**
   * JSON of the limits that the container may have now, or `null` if there is no container. `limits.ts` reads and
   * writes it.
   */
  container_limits: string | null;
  /** Reason for users why the managed service is not in its desired state. */
  reason: string | null;
  deleted_at: number | null;
  expires_at: number | null;
}

/** Last observed state of a managed service. `silent`: the container runs, but its server does not respond. */
export type Seen = 'unknown' | 'ready' | 'silent' | 'down';

/** Columns of a managed service that tasks and reconcilers change. */
export interface ManagedServiceChange
  extends Partial<
    Pick<
      ManagedServiceRow,
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
  /**
   * Project of the environment. A restore from the trash can move the service to another project, and the undo moves
   * it back.
   */
  project_id?: number;
  project?: string;
  environment?: string;
  state?: Exclude<ManagedServiceRow['state'], 'hidden'>;
  seen?: Seen;
  /** Published port of the server, or `null` if there is none. */
  port?: number | null;
}

/** Settings of the container that differ between databases and object stores. */
export interface Serving extends Pick<Group, 'env' | 'args' | 'files'> {
  /** Path in the container at which the volume is mounted. */
  dataPath: string;
  /** Port of the container that the published port forwards to. */
  exposedPort: number;
}

/** Operations that differ between databases and object stores. */
export interface ManagedService<R extends ManagedServiceRow, B extends ManagedServicesDeps> {
  /** Name for messages to users. */
  noun: 'database' | 'object store';
  /** Name in task kinds and log fields. */
  subject: 'database' | 'object_store';
  /** Value of the Docker label on containers and volumes. It must not change, because existing containers have it. */
  label: 'database' | 'store';
  /** Whether users can read the logs of the container. */
  hasLogs: boolean;
  /** Returns all rows, including rows in the trash. */
  all(db: Reader): readonly R[];
  find(db: Reader, id: number): R | null;
  /**
   * Changes a row.
   * @param tell event to publish. Absent if users cannot see the change.
   */
  change(tx: Tx, id: number, change: ManagedServiceChange, tell?: { change: ResourceChange; at?: number }): void;
  /** Deletes the row of a managed service after its data was removed. */
  forget(tx: Tx, row: R): void;
  reference(row: R): string;
  seen(row: R): Seen;
  port(row: R): number | null;
  /** Returns the Docker name of a new volume. Container names start with this name. */
  volumeName(davitId: string, id: number): string;
  stop(row: R): { signal: string; graceS: number };
  /** Returns the port on which the server listens in the environment's network. */
  listensOn(row: R): number;
  /**
   * Ensures that Docker has the image, and records its id in the row.
   * @throws ImageNotFound, EngineRefused, EngineUnavailable
   */
  ensureImage(base: B, row: R, signal: AbortSignal): Promise<void>;
  /**
   * Returns the values with which a container is created. If one of them changes, the container must be replaced.
   * Limits are not included, because they can change while the container runs.
   */
  madeOf(row: R): unknown;
  serving(base: B, row: R, network: Network): Serving;
  /**
   * Checks whether a server with an open port responds. Returns `null` if it does, otherwise the reason as a sentence
   * or an empty string.
   */
  problem(base: B, row: R, signal: AbortSignal): Promise<string | null>;
  /**
   * Applies the login rules of this Davit version to a running server. Absent if the kind of service has no such
   * rules.
   * @returns `false` if the rules need a new container with the same data
   */
  renewRules?(base: B, row: R, signal: AbortSignal): Promise<boolean>;
}
