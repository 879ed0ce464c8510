import type { GroupKind } from './labels.ts';

export interface Limits {
  /** Cores; null: no limit. */
  cpu: number | null;
  /** Null: the machine's memory less what is kept for the platform. */
  memoryBytes: number | null;
  pids: number;
}

/** One instance of a group: what differs between its members. */
export interface GroupMember {
  /** `davit-<id>-<deployment>-<n>`, at most 63 characters. */
  name: string;
  /** A fixed IPv4 address on the group's network. */
  address: string;
  /** Variables of this member alone, added to the group's. */
  env: Record<string, string>;
}

/**
 * A file that a container finds when it starts. It is put into the container itself, so that what it holds is in no
 * variable, argument or label, and goes with the container; a folder that the image lacks is made.
 */
export interface GroupFile {
  /** Absolute, without `.` and `..`. */
  path: string;
  bytes: Uint8Array;
  /** For example 0o400. */
  mode: number;
  /** 0 unless given: root's. */
  uid?: number;
  gid?: number;
}

/** N instances of one release; or the container of a database or an object store, which has no releases. */
export interface Group {
  kind: GroupKind;
  /** The reference of what the containers are of. */
  app: string;
  /** The deployment's number; null for what is not deployed. */
  deployment: number | null;
  imageId: string;
  network: string;
  env: Record<string, string>;
  /** Replaces the image's ENTRYPOINT (Kubernetes' and the OCI's `command`). Null: the image's own. */
  command: string[] | null;
  /** Replaces the image's CMD. Null: the image's own, unless `command` is given. */
  args: string[] | null;
  limits: Limits;
  /** Sent by `stop`. For example `SIGTERM`. */
  stopSignal: string;
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
  /** In every member. */
  files: GroupFile[];
  members: GroupMember[];
}
