import type { GroupKind } from './labels.ts';

export interface Limits {
  /** Maximum CPU time in cores, or `null` if there is no limit. */
  cpu: number | null;
  /** Maximum memory, or `null` for the memory of the server minus the reserve of the platform. */
  memoryBytes: number | null;
  pids: number;
}

/** Settings of one container of a group that differ from those of the other members. */
export interface GroupMember {
  /** Container name `davit-<id>-<deployment>-<n>`, at most 63 characters. */
  name: string;
  /** Fixed IPv4 address on the network of the group. */
  address: string;
  /** Variables of only this member, in addition to those of the group. */
  env: Record<string, string>;
}

/**
 * A file that exists in a container when the container starts. The adapter writes the file into the container itself.
 * The content is therefore in no variable, argument or label, and is removed with the container. Missing folders are
 * created.
 */
export interface GroupFile {
  /** Absolute path without `.` and `..`. */
  path: string;
  bytes: Uint8Array;
  /** File mode, for example 0o400. */
  mode: number;
  /** User id of the owner. Default: 0 (root). */
  uid?: number;
  gid?: number;
}

/** The replicas of one release, or the container of a database or an object store, which has no releases. */
export interface Group {
  kind: GroupKind;
  /** Reference of the app, database or object store that the containers belong to. */
  app: string;
  /** Number of the deployment, or `null` for a database or an object store. */
  deployment: number | null;
  imageId: string;
  network: string;
  env: Record<string, string>;
  /** Command that replaces the image's ENTRYPOINT (`command` in Kubernetes and OCI), or `null` for the image's own. */
  command: string[] | null;
  /** Arguments that replace the image's CMD. `null` means the image's own, or none if `command` is set. */
  args: string[] | null;
  limits: Limits;
  /** Signal that `stop` sends, for example `SIGTERM`. */
  stopSignal: string;
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
  /** Files that every member gets. */
  files: GroupFile[];
  members: GroupMember[];
}
