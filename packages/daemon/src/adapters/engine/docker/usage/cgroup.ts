/**
 * Resource use of containers, read from files of the kernel. One container takes about 80 µs, and the same request to
 * the engine costs a hundred times as much. Both versions of control groups are supported. The network counters are
 * those of the container's first process.
 *
 * The reads are synchronous because the kernel creates these files in memory. The thread pool would cost more time than
 * the read itself.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { InstanceUsage } from '../../instance.ts';

/** Paths of the files for one running container. The paths are valid until the container's first process exits. */
export interface CgroupPlace {
  /** Container id, which is part of the name of the first process's group. */
  id: string;
  /**
   * File with the groups of the first process. The file is read each time, because the kernel can reuse a process id.
   */
  membership: string;
  network: string;
  version: 1 | 2;
  cpu: string;
  memory: string;
  memoryStat: string;
  /** Path of the file with the limit, or `null` if `memoryStat` has the limit. */
  memoryLimit: string | null;
}

const ROOT = '/sys/fs/cgroup';
/**
 * Smallest number that counts as no limit. Version 1 reports the largest number of pages, and no real limit is near
 * this number.
 */
const NO_LIMIT = 2 ** 60;

/**
 * Finds the files of a container by its first process. Returns `null` if the files are not accessible: the engine is on
 * another server, this process is not root, or the groups are mounted elsewhere.
 */
export function findPlace(id: string, pid: number): CgroupPlace | null {
  const membership = `/proc/${pid}/cgroup`;
  const groups = readFile(membership);
  const place = groups === null ? null : placeOf(id, pid, groups);
  if (place === null) return null;
  return [place.cpu, place.memory, place.memoryStat, place.network].every((file) => existsSync(file)) ? place : null;
}

/** Returns the paths for the groups of a process, or `null` if no group is named after the container. */
export function placeOf(id: string, pid: number, groups: string): CgroupPlace | null {
  const common = { id, membership: `/proc/${pid}/cgroup`, network: `/proc/${pid}/net/dev` };
  const paths = new Map<string, string>();
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    // A path outside the mounted tree belongs to another namespace.
    if (controllers === undefined || !path?.includes(id) || path.includes('/..')) continue;
    if (controllers === '') paths.set('', `${ROOT}${path}`);
    for (const controller of controllers.split(',')) if (controller) paths.set(controller, pathOf(controllers, path));
  }
  const [cpu, memory, unified] = [paths.get('cpuacct'), paths.get('memory'), paths.get('')];
  if (cpu !== undefined && memory !== undefined) {
    const files = { cpu: `${cpu}/cpuacct.usage`, memory: `${memory}/memory.usage_in_bytes` };
    return { ...common, version: 1, ...files, memoryStat: `${memory}/memory.stat`, memoryLimit: null };
  }
  if (unified === undefined) return null;
  const files = { cpu: `${unified}/cpu.stat`, memory: `${unified}/memory.current` };
  return {
    ...common,
    version: 2,
    ...files,
    memoryStat: `${unified}/memory.stat`,
    memoryLimit: `${unified}/memory.max`,
  };
}

/**
 * Returns the path of a group. Controllers that are mounted together share one folder, whose name contains all of them.
 */
function pathOf(controllers: string, path: string): string {
  return `${ROOT}/${controllers.replace(/^name=/, '')}${path}`;
}

/** Returns the current resource use, or `null` if the container no longer runs as that process. */
export function readPlace(place: CgroupPlace): InstanceUsage | null {
  if (!readFile(place.membership)?.includes(place.id)) return null;
  const [cpu, memory, stat, network] = [place.cpu, place.memory, place.memoryStat, place.network].map(readFile);
  if (cpu == null || memory == null || stat == null || network == null) return null;
  const at = new Date();
  const limit = place.memoryLimit === null ? null : readFile(place.memoryLimit);
  return { at, ...figuresOf(place.version, { cpu, memory, stat, limit }), ...parseNetwork(network) };
}

export interface CgroupTexts {
  cpu: string;
  memory: string;
  stat: string;
  /** Content of the limit file in version 2, or `null` in version 1, where `stat` has the limit. */
  limit: string | null;
}

/** Returns the resource use from the content of the files. */
export function figuresOf(
  version: 1 | 2,
  { cpu, memory, stat, limit }: CgroupTexts,
): Pick<InstanceUsage, 'cpuNs' | 'memoryBytes' | 'memoryLimitBytes'> {
  const prefix = version === 1 ? 'total_' : '';
  const files = numberAfter(stat, `${prefix}inactive_file`) + numberAfter(stat, `${prefix}active_file`);
  const most = version === 1 ? numberAfter(stat, 'hierarchical_memory_limit') : Number.parseInt(limit ?? '', 10);
  return {
    cpuNs: version === 1 ? Number.parseInt(cpu, 10) : numberAfter(cpu, 'usage_usec') * 1_000,
    memoryBytes: Math.max(0, Number.parseInt(memory, 10) - files),
    memoryLimitBytes: most > 0 && most < NO_LIMIT ? most : null,
  };
}

/** Sums the counters of all interfaces in `/proc/<pid>/net/dev` except the loopback interface. */
export function parseNetwork(text: string): Pick<InstanceUsage, 'receivedBytes' | 'sentBytes'> {
  let [receivedBytes, sentBytes] = [0, 0];
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 0 || line.slice(0, colon).trim() === 'lo') continue;
    const counters = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/);
    receivedBytes += Number(counters[0] ?? 0);
    sentBytes += Number(counters[8] ?? 0);
  }
  return { receivedBytes, sentBytes };
}

/** Returns the number after a name at the start of a line, or 0 if there is none. */
function numberAfter(text: string, name: string): number {
  const start = `\n${text}`.indexOf(`\n${name} `);
  return start < 0 ? 0 : Number.parseInt(text.slice(start + name.length + 1), 10);
}

/** Buffer that is larger than all of these files. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Returns the content of a file. Returns `null` if the file cannot be read, because the process or its group does not
 * exist or is not accessible.
 */
function readFile(path: string): string | null {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let length = 0;
    // The kernel returns such files in several pieces.
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    return buffer.toString('latin1', 0, length);
  } catch {
    // The caller queries the engine instead, for any reason of the error.
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
