import type { GroupKind } from './labels.ts';

export interface Limits {
  /** Maximum number of CPU cores that a container may use, or `null` for no limit. */
  cpu: number | null;
  /**
   * Memory limit of a container in bytes. `null` means the default limit: the memory of the server minus the memory
   * that is reserved for Davit.
   */
  memoryBytes: number | null;
  pids: number;
}

/**
 * One container in a group of containers. All containers in a group have the same settings, except for the fields of
 * this interface.
 */
export interface GroupMember {
  name: string;
  /** Fixed IPv4 address of the container in its network. */
  address: string;
  /**
   * Environment variables that only this container gets. In addition, all containers of a group get the environment
   * variables in `Group.env`.
   */
  env: Record<string, string>;
}

/**
 * A file that Davit writes into a container before the container starts. Secrets belong in files, because Docker shows
 * environment variables, arguments and labels.
 */
export interface GroupFile {
  /** Absolute path of the file in the container, without `.` and `..`. Missing parent folders are created. */
  path: string;
  bytes: Uint8Array;
  /** Unix file mode, for example 0o400. */
  mode: number;
  /** User id of the file's owner. Default: 0 (root). */
  uid?: number;
  gid?: number;
}

/**
 * A group of containers with the same settings. A group has all replicas of a release of an app, or one container of a
 * database or object store.
 */
export interface Group {
  kind: GroupKind;
  app: string;
  /** Number of the deployment that created the containers. `null` for the containers of databases and object stores. */
  deployment: number | null;
  imageId: string;
  network: string;
  env: Record<string, string>;
  /**
   * Command that replaces the image's ENTRYPOINT, like `command` in Kubernetes. `null` keeps the image's ENTRYPOINT.
   */
  command: string[] | null;
  /**
   * Arguments that replace the image's CMD. `null` keeps the image's CMD. If `command` is set and this field is `null`,
   * the command gets no arguments.
   */
  args: string[] | null;
  limits: Limits;
  /** Unix signal that Docker sends to stop the containers, for example `SIGTERM`. */
  stopSignal: string;
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
  files: GroupFile[];
  members: GroupMember[];
}
