import type { Group, Limits } from './group.ts';
import type { ObjectKind } from './labels.ts';
import type { Probe, ProbeResult } from './probe.ts';

export type InstanceState = 'created' | 'running' | 'restarting' | 'paused' | 'exited' | 'dead';

/** State of one container of this Davit instance, as Docker reports it. */
export interface ObservedInstance {
  /** Container id that Docker assigned. */
  id: string;
  name: string;
  kind: ObjectKind;
  /**
   * Reference of the app, database or object store that owns the container, for example `shop/production/api`. `null`
   * if the container has no label that names its owner.
   */
  app: string | null;
  deployment: number | null;
  state: InstanceState;
  /** Exit code of the container's last exit, or `null` if the container has never exited. */
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  address: string | null;
  /**
   * Whether the container is connected to a network. `false` means that HAProxy cannot reach the container. Always
   * `true` if the container does not run.
   */
  connected: boolean;
  startedAt: Date | null;
}

export interface Exit {
  exitCode: number;
  oomKilled: boolean;
}

/** Resource use of a running container. The counters start at 0 when the container starts. */
export interface InstanceUsage {
  at: Date;
  /** CPU time since the start of the container in nanoseconds, summed over all cores. */
  cpuNs: number;
  /** Memory use in bytes without the page cache, because the kernel can free the page cache at any time. */
  memoryBytes: number;
  /** Memory limit of the container in bytes, or `null` if the container has no limit. */
  memoryLimitBytes: number | null;
  receivedBytes: number;
  sentBytes: number;
}

/**
 * Operations that create, run, inspect and remove containers. The parameter `id` also accepts a container name, because
 * Davit knows the name before the container exists.
 */
export interface EngineInstances {
  /**
   * Creates the containers of a group concurrently and writes their files, but does not start them. Keeps an existing
   * container with the same name if its kind and its deployment or owner match. Writes the files of an existing
   * container again if it has never started. The restart policy is `no`, so that a crash during the health check is
   * noticed.
   * @returns container ids in the order of the members
   * @throws an error if one container fails; the caller removes the other containers
   */
  createGroup(group: Group, signal?: AbortSignal): Promise<string[]>;
  /** Starts or unpauses a container. Succeeds if the container already runs. */
  start(id: string, signal?: AbortSignal): Promise<void>;
  /**
   * Sets the container's restart policy to `unless-stopped`, so that Docker restarts the container after an exit.
   * Idempotent.
   */
  keepRunning(id: string): Promise<void>;
  /**
   * Waits until a container has stopped. Resolves immediately if the container is already stopped. If the signal is
   * aborted, rejects with the abort reason.
   */
  waitExit(id: string, signal: AbortSignal): Promise<Exit>;
  /**
   * Sends a stop signal to a container, waits up to `graceS` seconds, then kills the container. Succeeds if the
   * container does not exist or does not run.
   */
  stop(id: string, stop: { signal: string; graceS: number }): Promise<void>;
  /**
   * Removes a container. Kills the container first if it runs. Named volumes stay. Succeeds if the container does not
   * exist.
   */
  remove(id: string): Promise<void>;
  /**
   * Changes the CPU, memory and process limits of a running container without a restart. Requires
   * `capabilities.liveLimits`.
   */
  setLimits(id: string, limits: Limits): Promise<void>;
  /**
   * Returns all containers of apps, one-off commands, databases and object stores of this Davit instance, in any state.
   * Containers of Davit itself, such as HAProxy, are not included.
   */
  observe(signal?: AbortSignal): Promise<ObservedInstance[]>;
  /**
   * Checks once whether a container responds, over the network that HAProxy uses. If the container does not respond,
   * returns a result with `ok: false` and throws nothing.
   */
  probe(id: string, probe: Probe, signal?: AbortSignal): Promise<ProbeResult>;
  /** Returns the resource use of the running containers with these ids. The result omits containers that do not run. */
  usage(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, InstanceUsage>>;
}
