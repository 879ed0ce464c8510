import type { GroupKind } from './labels.ts';

export interface Limits {
  /** Maximum CPU time in cores, or `null` if there is no limit. */
  cpu: number | null;
  /**
   * Memory limit of a container in bytes. `null` means the default limit: the memory of the server minus the memory
   * that is reserved for Davit.
   */
  memoryBytes: number | null;
  pids: number;
}

/**
 * One container in a group of containers. All containers of a group have the same settings, except for the fields of
 * this interface.
 */
export interface GroupMember {
  name: string;
  /** Fixed IPv4 address of the container in its network. */
  address: string;
  /**
   * Environment variables of this container only. The container also gets the environment variables of its group
   * (`Group.env`).
   */
  env: Record<string, string>;
}

/**
 * A file that Davit writes into a container before its start. Use it for secrets, because it appears in no variable,
 * argument or label.
 */
export interface GroupFile {
  /** Absolute path in the container, without `.` and `..`. Missing parent folders are created. */
  path: string;
  bytes: Uint8Array;
  /** Unix file mode, for example 0o400. */
  mode: number;
  /** User id of the file's owner. Default: 0 (root). */
  uid?: number;
  gid?: number;
}

/**
 * A group of containers with the same settings: all replicas of a release of an app, or the container of a database or
 * an object store.
 */
export interface Group {
  kind: GroupKind;
  app: string;
  /** Number of the deployment that created the containers. `null` for a database or an object store. */
  deployment: number | null;
  imageId: string;
  network: string;
  env: Record<string, string>;
  /**
   * Command that replaces the image's ENTRYPOINT, like `command` in Kubernetes. `null` keeps the ENTRYPOINT of the
   * image.
   */
  command: string[] | null;
  /**
   * Arguments that replace the image's CMD. `null` keeps the image's CMD. If `command` is set, `null` means no
   * arguments.
   */
  args: string[] | null;
  limits: Limits;
  /** Signal that asks the containers to stop, for example `SIGTERM`. */
  stopSignal: string;
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
  files: GroupFile[];
  members: GroupMember[];
}
