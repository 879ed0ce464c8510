/**
 * Reads CPU, memory and network use of containers from cgroup files (version 1 or 2). Reading takes about 80 µs, which
 * is 100 times faster than a request to Docker.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { InstanceUsage } from '../../instance.ts';

/**
 * Paths of the control group (cgroup) files of one running container. The paths are valid until the container's first
 * process exits.
 */
export interface CgroupFiles {
  /** Container id. The name of the control group contains this id. */
  id: string;
  /**
   * Path of the file that lists the control groups of the container's first process. The file is checked at each read,
   * because Linux can reuse process ids.
   */
  membership: string;
  /** Path of the network counters of the container's first process. */
  network: string;
  version: 1 | 2;
  cpu: string;
  memory: string;
  memoryStat: string;
  /**
   * Path of the file with the container's memory limit in cgroup version 2. `null` in cgroup version 1, because there
   * the file `memoryStat` contains the limit.
   */
  memoryLimit: string | null;
}

const ROOT = '/sys/fs/cgroup';
/**
 * A memory limit of at least this size means that there is no limit. Without a limit, cgroup version 1 reports a number
 * near 2^63.
 */
const NO_LIMIT = 2 ** 60;

/**
 * Finds the cgroup files of a container. Returns `null` if the daemon cannot read the files, because it is not root or
 * Docker runs on another server.
 */
export function findCgroupFiles(id: string, pid: number): CgroupFiles | null {
  const membership = `/proc/${pid}/cgroup`;
  const groups = readFile(membership);
  const files = groups === null ? null : cgroupFilesOf(id, pid, groups);
  if (files === null) return null;
  return [files.cpu, files.memory, files.memoryStat, files.network].every((file) => existsSync(file)) ? files : null;
}

/**
 * Returns the paths of a container's cgroup files. Returns `null` if no cgroup path of the process contains the
 * container id.
 */
export function cgroupFilesOf(id: string, pid: number, groups: string): CgroupFiles | null {
  const common = { id, membership: `/proc/${pid}/cgroup`, network: `/proc/${pid}/net/dev` };
  const paths = new Map<string, string>();
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    // A path with `/..` is outside the cgroups that the daemon can see. The daemon cannot read such a path.
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
 * Returns the path of a container's folder in cgroup version 1. Several controllers can share one folder with a
 * combined name, for example `cpu,cpuacct`.
 */
function pathOf(controllers: string, path: string): string {
  return `${ROOT}/${controllers.replace(/^name=/, '')}${path}`;
}

/**
 * Returns the current CPU, memory and network use of a container. Returns `null` if the container's first process has
 * exited.
 */
export function readCgroupFiles(files: CgroupFiles): InstanceUsage | null {
  if (!readFile(files.membership)?.includes(files.id)) return null;
  const [cpu, memory, stat, network] = [files.cpu, files.memory, files.memoryStat, files.network].map(readFile);
  if (cpu == null || memory == null || stat == null || network == null) return null;
  const at = new Date();
  const limit = files.memoryLimit === null ? null : readFile(files.memoryLimit);
  return { at, ...figuresOf(files.version, { cpu, memory, stat, limit }), ...parseNetwork(network) };
}

export interface CgroupTexts {
  cpu: string;
  memory: string;
  stat: string;
  /**
   * Content of the file with the container's memory limit in cgroup version 2. `null` in cgroup version 1, because
   * there `stat` contains the limit.
   */
  limit: string | null;
}

/** Calculates a container's CPU, memory and network use from the content of its cgroup files. */
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

/** Sums the network counters of all interfaces in `/proc/<pid>/net/dev`, except the loopback interface. */
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

/** Returns the number after the given name at the start of a line, or 0 if no line starts with the name. */
function numberAfter(text: string, name: string): number {
  const start = `\n${text}`.indexOf(`\n${name} `);
  return start < 0 ? 0 : Number.parseInt(text.slice(start + name.length + 1), 10);
}

/** Buffer for the content of one cgroup file. All cgroup files are smaller than the buffer. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Returns the content of a file. Returns `null` if the file cannot be read, for example because the process has exited.
 */
function readFile(path: string): string | null {
  /*
   * Reads the file synchronously, because the kernel creates the content in memory. Node.js's thread pool would be
   * slower.
   */
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let length = 0;
    // Reads until the end of the file, because the kernel can return a `/proc` or cgroup file in several parts.
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    return buffer.toString('latin1', 0, length);
  } catch {
    // If the cgroup file cannot be read, the caller requests the values from Docker instead.
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
