/**
 * From a group's description to the engine's request: the one place that decides what a container may do. There is no
 * field by which an app could ask for privileges, host namespaces, devices or host paths.
 */

import type { Group, GroupMember, Limits } from '../../group.ts';
import type { ObjectKind } from '../../labels.ts';
import { LABEL } from '../../labels.ts';
import type { OneOff } from '../../one-off.ts';

/** What a container may still do after all capabilities were taken: what servers that drop root need. */
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
 * Memory that the processes of a database share, at most: what an engine gives unless asked is too little for queries that
 * several processes work on. What is used of it counts to the limit of memory.
 */
const SHARED_MEMORY_BYTES = 256 * 2 ** 20;

/** More than any machine has. */
const UNLIMITED_SWAP_BYTES = 2 ** 40;

/** Where the container is to be, apart from what is asked of it. */
export interface Placement {
  davitId: string;
  /** Resolvers in the order in which they are asked: that of internal names, then the machine's. */
  dns: string[];
  /** For an instance without a memory limit of its own. */
  defaultMemoryBytes: number;
}

/** The body of a create request. */
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

/** The request for one instance of a group. */
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

/** The request for a command that runs once; it replaces the image's ENTRYPOINT, and nothing connects to it. */
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
    // The daemon runs it itself while a release is checked. An engine would run it as often as the image says, and end with
    // everything that it does on one without a command.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    HostConfig: {
      NetworkMode: network,
      Dns: placement.dns,
      // Without it an image whose first process ignores signals takes the whole grace period to stop.
      Init: true,
      // An instance under check that exits must stay down to be seen.
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

/** The limits as the engine wants them, at creation and for an update in place. */
export function limitFields(limits: Limits, defaultMemoryBytes: number): Record<string, number> {
  const { cpu, memoryBytes, pids } = limits;
  return {
    Memory: memoryBytes ?? defaultMemoryBytes,
    // Memory and swap together. What was limited on purpose is not to go on in the swap; what was not may use all of it.
    // The engine's own word for that, -1, is lost in an update.
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
