/**
 * Request body of `POST /containers/create`. Only this file decides about permissions. No app setting can request
 * privileges, host namespaces, devices or host paths.
 */

import type { Group, GroupMember, Limits } from '../../group.ts';
import type { ObjectKind } from '../../labels.ts';
import { LABEL } from '../../labels.ts';
import type { OneOff } from '../../one-off.ts';

/**
 * Linux capabilities of each container, for servers that start as root and change to another user. Docker drops all
 * others.
 */
const CAPABILITIES = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/**
 * Size of `/dev/shm` in database containers, in bytes. Docker's default of 64 MiB is too small for parallel queries.
 * Used memory counts towards the container's limit.
 */
const SHARED_MEMORY_BYTES = 256 * 2 ** 20;

/**
 * Swap limit in bytes, larger than the swap of any server. The value -1 is not used, because Docker loses this value
 * when a container is updated.
 */
const UNLIMITED_SWAP_BYTES = 2 ** 40;

/** Container settings that depend on the Davit instance and the server, not on the app or database. */
export interface Placement {
  davitId: string;
  /**
   * DNS servers of the container in order: the Davit resolver for internal names, then the DNS servers of the server.
   */
  dns: string[];
  /** Memory limit in bytes for a container that has no limit of its own. */
  defaultMemoryBytes: number;
}

/** Request body for `POST /containers/create` of the Docker Engine API. */
export interface CreateRequest {
  Image: string;
  Env: string[];
  Labels: Record<string, string>;
  Entrypoint?: string[];
  Cmd?: string[];
  StopSignal?: string;
  Healthcheck: { Test: string[] };
  ExposedPorts: Record<string, object>;
  HostConfig: Record<string, unknown>;
  NetworkingConfig: { EndpointsConfig: Record<string, object> };
}

/** Returns the request body for the creation of a container of an app, a database or an object store. */
export function instanceRequest(group: Group, member: GroupMember, placement: Placement): CreateRequest {
  const { command, args, tcpPorts } = group;
  const base = baseRequest(group, { ...group.env, ...member.env }, group.kind, placement);
  const shared = group.kind === 'database' ? { ShmSize: SHARED_MEMORY_BYTES } : {};
  return {
    ...base,
    StopSignal: group.stopSignal,
    ...(command === null ? {} : { Entrypoint: command }),
    ...(args === null ? {} : { Cmd: args }),
    ExposedPorts: Object.fromEntries(tcpPorts.map((port) => [`${port.containerPort}/tcp`, {}])),
    HostConfig: { ...base.HostConfig, ...shared, PortBindings: portBindings(tcpPorts) },
    NetworkingConfig: { EndpointsConfig: { [group.network]: { IPAMConfig: { IPv4Address: member.address } } } },
  };
}

/**
 * Returns the request body for a container that runs one command. The command replaces the image's ENTRYPOINT. No ports
 * are published.
 */
export function oneOffRequest(oneOff: OneOff, placement: Placement): CreateRequest {
  const overrides = { Entrypoint: oneOff.command, Cmd: [] };
  return { ...baseRequest(oneOff, oneOff.env, oneOff.kind, placement), ...overrides };
}

type Described = Pick<Group, 'app' | 'deployment' | 'imageId' | 'network' | 'limits' | 'volumes'>;

function baseRequest(
  described: Described,
  env: Record<string, string>,
  kind: ObjectKind,
  placement: Placement,
): CreateRequest {
  const { app, deployment, imageId, network, limits, volumes } = described;
  const owner = { [LABEL.instance]: placement.davitId, [LABEL.app]: app };
  return {
    Image: imageId,
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Labels: {
      ...owner,
      [LABEL.kind]: kind,
      ...(deployment === null ? {} : { [LABEL.deployment]: String(deployment) }),
    },
    // Davit runs the HEALTHCHECK command itself, because Docker could crash if this command does not exist.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    HostConfig: {
      NetworkMode: network,
      Dns: placement.dns,
      // Without Docker's init process, a PID 1 that does not handle SIGTERM would stop only after the grace period.
      Init: true,
      // No restart policy, because a new container that exits during its health check must stay visible as exited.
      RestartPolicy: { Name: 'no' },
      SecurityOpt: ['no-new-privileges:true'],
      CapDrop: ['ALL'],
      CapAdd: CAPABILITIES,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
      Mounts: volumes.map((volume) => ({
        Type: 'volume',
        Source: volume.name,
        Target: volume.path,
        VolumeOptions: { Labels: owner },
      })),
      ...limitFields(limits, placement.defaultMemoryBytes),
    },
    NetworkingConfig: { EndpointsConfig: { [network]: {} } },
  };
}

/** Returns CPU, memory and process limits in the format of the Docker Engine API, for a create or an update request. */
export function limitFields(limits: Limits, defaultMemoryBytes: number): Record<string, number> {
  const { cpu, memoryBytes, pids } = limits;
  return {
    Memory: memoryBytes ?? defaultMemoryBytes,
    // `MemorySwap` is memory plus swap. With a memory limit, there is no swap, because swap would bypass the limit.
    MemorySwap: memoryBytes ?? defaultMemoryBytes + UNLIMITED_SWAP_BYTES,
    ...(cpu === null ? {} : { NanoCpus: Math.round(cpu * 1e9) }),
    PidsLimit: pids,
  };
}

function portBindings(tcpPorts: Group['tcpPorts']): Record<string, { HostPort: string }[]> {
  const bindings: Record<string, { HostPort: string }[]> = {};
  for (const { hostPort, containerPort } of tcpPorts) {
    const key = `${containerPort}/tcp`;
    bindings[key] = [...(bindings[key] ?? []), { HostPort: String(hostPort) }];
  }
  return bindings;
}
