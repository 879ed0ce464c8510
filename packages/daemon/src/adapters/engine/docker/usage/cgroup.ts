/**
 * What a container uses, read from the kernel's own files: some 80 µs a container, where the engine's answer to the same
 * question costs it a hundred times that. Both forms of control groups are known, and the network counters are those
 * that the container's first process sees.
 *
 * The reads are synchronous on purpose: these files are made up in memory, and a trip through the thread pool costs
 * more than the read itself.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { InstanceUsage } from '../../instance.ts';

/** Where the figures of one running container are. Good until its first process ends. */
export interface CgroupPlace {
  /** The container's id, which the first process's group is named after. */
  id: string;
  /** Names the groups of the first process: read anew each time, since a process number is given again. */
  membership: string;
  network: string;
  version: 1 | 2;
  cpu: string;
  memory: string;
  memoryStat: string;
  /** Null: `memoryStat` has it. */
  memoryLimit: string | null;
}

const ROOT = '/sys/fs/cgroup';
/** The first form's word for «none» is the largest number of pages; nothing real is near it. */
const NO_LIMIT = 2 ** 60;

/**
 * Finds the figures of a container by its first process; null where they cannot be seen from here: the engine is on
 * another machine, this process is not root, or the groups are mounted elsewhere.
 */
export function findPlace(id: string, pid: number): CgroupPlace | null {
  const membership = `/proc/${pid}/cgroup`;
  const groups = readFile(membership);
  const place = groups === null ? null : placeOf(id, pid, groups);
  if (place === null) return null;
  return [place.cpu, place.memory, place.memoryStat, place.network].every((file) => existsSync(file)) ? place : null;
}

/** The place that a process's list of groups tells of; null when none of them is named after the container. */
export function placeOf(id: string, pid: number, groups: string): CgroupPlace | null {
  const common = { id, membership: `/proc/${pid}/cgroup`, network: `/proc/${pid}/net/dev` };
  const paths = new Map<string, string>();
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    // A path that leads out of what is mounted here belongs to another namespace.
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

/** Controllers that are mounted together share one folder, named after all of them. */
function pathOf(controllers: string, path: string): string {
  return `${ROOT}/${controllers.replace(/^name=/, '')}${path}`;
}

/** Null when the container does not run as that process any more. */
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
  /** Of the second form; the first has it in `stat`. */
  limit: string | null;
}

/** The figures in the files of one form. */
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

/** Sums every interface of `/proc/<pid>/net/dev` but the loopback. */
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

/** The number behind a name at the start of a line; 0 for none. */
function numberAfter(text: string, name: string): number {
  const start = `\n${text}`.indexOf(`\n${name} `);
  return start < 0 ? 0 : Number.parseInt(text.slice(start + name.length + 1), 10);
}

/** Larger than any of these files gets. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Null for what cannot be read: the process or its group is gone, or is not for us to see. */
function readFile(path: string): string | null {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let length = 0;
    // The kernel hands such files out in pieces.
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    return buffer.toString('latin1', 0, length);
  } catch {
    // Whatever the reason, the engine knows better and is asked.
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
