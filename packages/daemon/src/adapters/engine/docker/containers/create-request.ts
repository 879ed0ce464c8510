/**
 * Creates the request body of `POST /containers/create`. Only this file sets the permissions of containers. App
 * settings cannot request privileges, host namespaces, devices or host paths.
 */

import type { Group, GroupMember, Limits } from '../../group.ts';
import type { ObjectKind } from '../../labels.ts';
import { LABEL } from '../../labels.ts';
import type { OneOff } from '../../one-off.ts';

/**
 * Linux capabilities of each container. Programs that start as root and then change to another user need these
 * capabilities. Docker drops all other capabilities.
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
 * The container's memory limit includes the used part of `/dev/shm`.
 */
const SHARED_MEMORY_BYTES = 256 * 2 ** 20;

/**
 * Swap limit in bytes that is larger than the swap space of any server. The value -1 is not used, because Docker loses
 * the value -1 when a container is updated.
 */
const UNLIMITED_SWAP_BYTES = 2 ** 40;

/** Container settings that depend on the Davit instance and the server, but not on the app or database. */
export interface Placement {
  davitId: string;
  /**
   * DNS servers of the container. The first is Davit's DNS resolver for internal names, followed by the DNS servers of
   * the server.
   */
  dns: string[];
  /** Memory limit in bytes for containers without a configured limit. */
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

/** Returns the request body that creates a container of an app, a database or an object store. */
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
 * Returns the request body that creates a container for one command. The command replaces the image's ENTRYPOINT, and
 * no ports are published.
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
    // Davit runs the HEALTHCHECK command itself. If the command did not exist, Docker could crash.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    HostConfig: {
      NetworkMode: network,
      Dns: placement.dns,
      /*
       * Adds Docker's init process. Without the init process, a PID 1 that ignores SIGTERM would stop only after the
       * grace period.
       */
      Init: true,
      /*
       * Sets no restart policy. If a new container exits during its health check, the container must stay in the state
       * `exited`.
       */
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

/**
 * Returns CPU, memory and process limits in the format of the Docker Engine API. The format is the same for create and
 * update requests.
 */
export function limitFields(limits: Limits, defaultMemoryBytes: number): Record<string, number> {
  const { cpu, memoryBytes, pids } = limits;
  return {
    Memory: memoryBytes ?? defaultMemoryBytes,
    /*
     * `MemorySwap` is the sum of memory and swap. A container with a memory limit gets no swap, because swap would
     * bypass the limit.
     */
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
