import { setImmediate as breathe } from 'node:timers/promises';
import type { InstanceUsage } from '../../instance.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { type CgroupFiles, findCgroupFiles, readCgroupFiles } from './cgroup.ts';
import type { ServerCapacity } from './server-capacity.ts';

/**
 * Maximum number of concurrent requests to Docker. More requests would not be faster, because Docker would queue them.
 */
const CONCURRENCY = 8;
/**
 * Number of containers that are read before other code can run in the event loop. Reading 20 containers takes about 2
 * ms.
 */
const SLICE = 20;
/**
 * Maximum number of cached cgroup paths. If the cache is full, it is cleared. Clearing also removes the paths of
 * containers that no longer exist.
 */
const MAX_CACHED_CONTAINERS = 4_096;

/** CPU, memory and network use of a container in Docker's format. The type lists only the fields that Davit uses. */
export interface EngineStats {
  /** Time of Docker's measurement. Docker reports the first day of year 1 if the container does not run. */
  read: string;
  cpu_stats: { cpu_usage: { total_usage: number } };
  memory_stats: { usage?: number; limit?: number; stats?: Record<string, number> };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number }>;
}

/**
 * Reads the CPU, memory and network use of running containers from cgroup files. If the daemon cannot read the files,
 * the values come from Docker.
 */
export class DockerUsage {
  readonly #context: DockerContext;
  readonly #instances: DockerInstances;
  readonly #machine: ServerCapacity;
  /**
   * Cached cgroup paths by container id. Cached paths can be read even while Docker does not respond. `unseen` means
   * that the daemon cannot read the cgroup files.
   */
  readonly #cgroupFiles = new Map<string, CgroupFiles | 'unseen'>();

  constructor(context: DockerContext, instances: DockerInstances, machine: ServerCapacity) {
    this.#context = context;
    this.#instances = instances;
    this.#machine = machine;
  }

  /** @throws EngineUnavailable if the values must come from Docker and Docker does not respond */
  async read(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, InstanceUsage>> {
    if (this.#cgroupFiles.size > MAX_CACHED_CONTAINERS) this.#cgroupFiles.clear();
    const found = new Map<string, InstanceUsage>();
    const rest: string[] = [];
    for (const [index, id] of ids.entries()) {
      if (index % SLICE === SLICE - 1) await breathe(undefined, { signal });
      const files = this.#cgroupFiles.get(id);
      const usage = files === undefined || files === 'unseen' ? null : readCgroupFiles(files);
      if (usage === null) rest.push(id);
      else found.set(id, usage);
    }
    const work = async () => {
      for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
        const usage = await this.#look(id, signal);
        if (usage !== null) found.set(id, usage);
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, rest.length) }, work));
    if (found.size === 0) return found;
    const defaultBytes = await this.#machine.defaultMemoryBytes();
    return new Map([...found].map(([id, usage]) => [id, withoutDefaultLimit(usage, defaultBytes)]));
  }

  /**
   * Reads the resource use of a container without valid cached cgroup paths. A restart of the container makes cached
   * paths invalid.
   */
  async #look(id: string, signal: AbortSignal | undefined): Promise<InstanceUsage | null> {
    if (this.#cgroupFiles.get(id) === 'unseen') return this.#ask(id, signal);
    this.#cgroupFiles.delete(id);
    const info = await this.#instances.inspect(id, signal);
    if (info === null || !info.State.Running) return null;
    const files = this.#isNear() ? findCgroupFiles(info.Id, info.State.Pid) : null;
    this.#cgroupFiles.set(id, files ?? 'unseen');
    return files === null ? this.#ask(id, signal) : readCgroupFiles(files);
  }

  async #ask(id: string, signal: AbortSignal | undefined): Promise<InstanceUsage | null> {
    const query = { stream: false, 'one-shot': true };
    const call = {
      doing: 'read the CPU and memory usage of a container',
      path: `/containers/${id}/stats`,
      query,
      signal,
    };
    try {
      const usage = usageOf(await this.#context.client.call<EngineStats>(call));
      if (usage === null) this.#cgroupFiles.delete(id);
      return usage;
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
      this.#cgroupFiles.delete(id);
      return null;
    }
  }

  /**
   * Returns whether Docker runs on this server. If Docker runs on another server, its process ids have no meaning here.
   */
  #isNear(): boolean {
    return this.#context.client.address.startsWith('unix:');
  }
}

/**
 * Largest size of a memory page in bytes. The Linux kernel rounds a memory limit down to whole pages, so the limit of a
 * container can be lower than the requested limit.
 */
const LARGEST_PAGE = 64 * 1024;

/**
 * Removes the memory limit from the usage of a container if the limit is the default of the server. Each container has
 * a limit in Docker, but the default is not a limit that a user has set. Users can also set a limit above the default.
 */
export function withoutDefaultLimit(usage: InstanceUsage, defaultBytes: number): InstanceUsage {
  const { memoryLimitBytes: limit } = usage;
  const isDefault = limit !== null && limit <= defaultBytes && limit > defaultBytes - LARGEST_PAGE;
  return isDefault ? { ...usage, memoryLimitBytes: null } : usage;
}

/**
 * Converts Docker's values for the CPU, memory and network use of a container. Returns `null` if the container does not
 * run.
 */
export function usageOf({
  read,
  cpu_stats: cpu,
  memory_stats: memory,
  networks = {},
}: EngineStats): InstanceUsage | null {
  if (read.startsWith('0001-') || memory.usage === undefined) return null;
  const { stats = {}, usage, limit } = memory;
  const files =
    (stats.total_inactive_file ?? stats.inactive_file ?? 0) + (stats.total_active_file ?? stats.active_file ?? 0);
  const counters = Object.values(networks);
  return {
    at: new Date(read),
    cpuNs: cpu.cpu_usage.total_usage,
    memoryBytes: Math.max(0, usage - files),
    memoryLimitBytes: limit ?? null,
    receivedBytes: counters.reduce((sum, { rx_bytes }) => sum + rx_bytes, 0),
    sentBytes: counters.reduce((sum, { tx_bytes }) => sum + tx_bytes, 0),
  };
}
