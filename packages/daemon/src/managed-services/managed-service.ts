/**
 * A managed service is a database or object store. `ManagedService` contains the operations that differ between the
 * two. This folder contains the common code.
 */
import type { ResourceChange } from '@davit/api';
import type { Group } from '../adapters/engine/group.ts';
import type { Network } from '../adapters/engine/network.ts';
import type { Reader, Tx } from '../db/store.ts';
import type { ManagedServicesDeps } from './deps.ts';

/** Columns that the SQLite tables `databases` and `object_stores` have in common. */
export interface ManagedServiceRow {
  id: number;
  project: string;
  environment_id: number;
  environment: string;
  cpu: number | null;
  memory_bytes: number | null;
  /** Docker name of the volume with the data of the service. */
  volume: string;
  wanted: 'running' | 'stopped';
  /**
   * State of a managed service. `failed` means that the creation failed. `hidden` means that a task uses the service
   * temporarily, and that users, apps and reconcilers ignore it.
   */
  state: 'making' | 'made' | 'failed' | 'hidden';
  /** Generation number of the current container. Each new container gets the next number. */
  generation: number;
  address: string | null;
  container_id: string | null;
  /** Docker image id. The value is `null` until Davit has found, built or pulled the image. */
  image_id: string | null;
  /** Settings with which Docker created the container, as JSON. */
  applied: string | null;
  /** Limits of the container as JSON, or `null` without a container. Only `limits.ts` reads and writes this column. */
  container_limits: string | null;
  /** Reason why the database or object store is not in its desired state. Users see this text. */
  reason: string | null;
  deleted_at: number | null;
  expires_at: number | null;
}

/**
 * Last observed state of a database or object store. `silent` means that the container runs but the server in it does
 * not respond.
 */
export type Seen = 'unknown' | 'ready' | 'silent' | 'down';

/** Columns that tasks and reconcilers change in the SQLite row of a database or object store. */
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
   * Id of the project. A restore from the trash can change the project. If the restore fails, Davit changes the project
   * back.
   */
  project_id?: number;
  project?: string;
  environment?: string;
  state?: Exclude<ManagedServiceRow['state'], 'hidden'>;
  seen?: Seen;
  /** Published TCP port of the server, or `null` if no port is published. */
  port?: number | null;
}

/** Container settings that differ between databases and object stores. */
export interface Serving extends Pick<Group, 'env' | 'args' | 'files'> {
  /** Path in the container at which Docker mounts the volume. */
  dataPath: string;
  /** Container port to which Docker forwards the published port. */
  exposedPort: number;
}

/** Operations of managed services that differ between databases and object stores. */
export interface ManagedService<R extends ManagedServiceRow, B extends ManagedServicesDeps> {
  /** Name of the service type in messages to users. */
  noun: 'database' | 'object store';
  /**
   * Service type. It is the prefix of task kinds, for example `database.create`. It is also a field name in log lines.
   */
  subject: 'database' | 'object_store';
  /**
   * Value of the Docker label on containers and volumes. Do not change it, because existing containers have this
   * label.
   */
  label: 'database' | 'store';
  /** Whether users can read the logs of the service's container. */
  hasLogs: boolean;
  /** Returns the rows of all databases or of all object stores, including rows in the trash. */
  all(db: Reader): readonly R[];
  find(db: Reader, id: number): R | null;
  /**
   * Changes the row of a database or object store.
   * @param tell event to publish. Omit it for a change that users cannot see.
   */
  change(tx: Tx, id: number, change: ManagedServiceChange, tell?: { change: ResourceChange; at?: number }): void;
  /** Deletes the SQLite row of a database or object store after its data was removed. */
  forget(tx: Tx, row: R): void;
  reference(row: R): string;
  seen(row: R): Seen;
  port(row: R): number | null;
  /** Returns the Docker name of a new volume. The names of the service's containers also begin with this name. */
  volumeName(davitId: string, id: number): string;
  stop(row: R): { signal: string; graceS: number };
  /** Returns the port on which the server listens in the Docker network of the environment. */
  listensOn(row: R): number;
  /**
   * Ensures that Docker has the image of the service, and saves the image id in the row.
   * @throws ImageNotFound, EngineRefused, EngineUnavailable
   */
  ensureImage(base: B, row: R, signal: AbortSignal): Promise<void>;
  /** Creates what a new container needs, such as a TLS certificate. Only databases have this function. */
  prepare?(base: B, row: R): Promise<void>;
  /**
   * Saves data of a new container, such as its TLS certificate. Only databases have this function.
   * @param row row from which Davit created the container
   */
  created?(tx: Tx, row: R): void;
  /**
   * Returns the values whose change requires a new container. Limits are excluded, because Docker can change the limits
   * of a running container.
   */
  madeOf(row: R): unknown;
  serving(base: B, row: R, network: Network): Serving;
  /**
   * Checks whether the server behind an open port responds. Returns `null` if it responds. Otherwise, returns the
   * reason as a sentence, or `''` if the reason is unknown.
   */
  problem(base: B, row: R, signal: AbortSignal): Promise<string | null>;
  /**
   * Applies this Davit version's rules for logins to a running database server. Only databases have this function.
   * @returns `false` if a new container is necessary
   */
  renewRules?(base: B, row: R, signal: AbortSignal): Promise<boolean>;
}
