/**
 * Converts the description of a group into a create request of the Engine API. Only this file decides about the rights
 * of a container. No field lets an app request privileges, host namespaces, devices or host paths.
 */

import type { Group, GroupMember, Limits } from '../../group.ts';
import type { ObjectKind } from '../../labels.ts';
import { LABEL } from '../../labels.ts';
import type { OneOff } from '../../one-off.ts';

/**
 * Capabilities that a container keeps after all others are dropped. Servers that start as root and change to another
 * user need these capabilities.
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
 * Maximum shared memory of a database in bytes. Docker's default is too small for queries that several processes
 * execute together. Used shared memory counts towards the memory limit.
 */
const SHARED_MEMORY_BYTES = 256 * 2 ** 20;

/** Amount of swap in bytes that no server reaches. */
const UNLIMITED_SWAP_BYTES = 2 ** 40;

/** Settings of a container that come from the instance and the server, not from the group. */
export interface Placement {
  davitId: string;
  /** DNS servers in the order of their use: the resolver of internal names, then the name servers of the server. */
  dns: string[];
  /** Memory limit for a container without its own limit. */
  defaultMemoryBytes: number;
}

/** Body of a create request. */
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

/** Returns the create request for one member of a group. */
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
 * Returns the create request for a command that runs once. The command replaces the image's ENTRYPOINT. The container
 * publishes no ports.
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
    // The daemon runs the health check itself while it checks a release. The engine would run the check at the interval
    // of the image. For a HEALTHCHECK without a command, the engine would crash.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    HostConfig: {
      NetworkMode: network,
      Dns: placement.dns,
      // The init process forwards signals. Without an init process, an image whose first process ignores signals needs
      // the whole grace period to stop.
      Init: true,
      // A new container that exits during its health check must not restart, so that the exit stays visible.
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

/** Returns the limits in the format of the Engine API, for a create request and for an update. */
export function limitFields(limits: Limits, defaultMemoryBytes: number): Record<string, number> {
  const { cpu, memoryBytes, pids } = limits;
  return {
    Memory: memoryBytes ?? defaultMemoryBytes,
    // `MemorySwap` is the limit for memory and swap together. A container with its own memory limit gets no swap,
    // because swap would bypass that limit. A container without a limit may use all swap. Docker's value for unlimited
    // swap, -1, is lost in an update.
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
