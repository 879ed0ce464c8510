import type { Group, Limits } from './group.ts';
import type { ObjectKind } from './labels.ts';
import type { Probe, ProbeResult } from './probe.ts';

export type InstanceState = 'created' | 'running' | 'restarting' | 'paused' | 'exited' | 'dead';

/** State of one container of this Davit instance, as Docker reports it. */
export interface ObservedInstance {
  /** Container id from Docker. */
  id: string;
  name: string;
  kind: ObjectKind;
  /**
   * Reference of the app, database or object store that owns the container, for example `shop/production/api`. `null`
   * if the container has no owner label.
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
   * Whether the container is connected to a network. If `false`, HAProxy cannot reach the container. The value is
   * always `true` for a stopped container.
   */
  connected: boolean;
  startedAt: Date | null;
}

export interface Exit {
  exitCode: number;
  oomKilled: boolean;
}

/** CPU, memory and network use of a running container. The counters start at 0 when the container starts. */
export interface InstanceUsage {
  at: Date;
  /** CPU time in nanoseconds since the start of the container, summed over all cores. */
  cpuNs: number;
  /** Memory use in bytes. The value excludes the page cache, because the kernel can free the page cache at any time. */
  memoryBytes: number;
  /** Memory limit of the container in bytes, or `null` if the container has no limit. */
  memoryLimitBytes: number | null;
  receivedBytes: number;
  sentBytes: number;
}

/**
 * Operations that create, run, inspect and remove containers. The parameter `id` also accepts a container name, because
 * Davit chooses the name before the container exists.
 */
export interface EngineInstances {
  /**
   * Creates the containers of a group concurrently and writes their files. Does not start the containers.
   *
   * If a container with the same name, kind, and deployment or owner exists, the method keeps this container. If the
   * existing container has never started, the method writes its files again.
   *
   * The restart policy of new containers is `no`, so that Davit notices a crash during the health check.
   * @returns container ids in the order of the members
   * @throws an error if one container fails; the caller must remove the other containers
   */
  createGroup(group: Group, signal?: AbortSignal): Promise<string[]>;
  /** Starts or unpauses a container. The call also succeeds if the container already runs. */
  start(id: string, signal?: AbortSignal): Promise<void>;
  /**
   * Sets the container's restart policy to `unless-stopped`, so that Docker restarts the container after an exit. The
   * call is idempotent.
   */
  keepRunning(id: string): Promise<void>;
  /**
   * Waits until a container has stopped. If the container is already stopped, the promise resolves immediately. If the
   * signal aborts, the promise rejects with the abort reason.
   */
  waitExit(id: string, signal: AbortSignal): Promise<Exit>;
  /**
   * Sends a stop signal to a container, and kills the container after `graceS` seconds if necessary. The call also
   * succeeds if the container does not exist or does not run.
   */
  stop(id: string, stop: { signal: string; graceS: number }): Promise<void>;
  /**
   * Removes a container, also a running one, but keeps its named volumes. The call also succeeds if the container does
   * not exist.
   */
  remove(id: string): Promise<void>;
  /**
   * Changes the CPU, memory and process limits of a running container without a restart. The method requires
   * `capabilities.liveLimits`.
   */
  setLimits(id: string, limits: Limits): Promise<void>;
  /**
   * Returns this Davit instance's containers in any state: the containers of apps, one-off commands, databases and
   * object stores. The result omits containers of Davit itself, such as HAProxy.
   */
  observe(signal?: AbortSignal): Promise<ObservedInstance[]>;
  /**
   * Checks once whether a container responds, over the network that HAProxy uses. If the container does not respond,
   * the result has `ok: false`, and no error is thrown.
   */
  probe(id: string, probe: Probe, signal?: AbortSignal): Promise<ProbeResult>;
  /**
   * Returns the CPU, memory and network use of the running containers with these ids. The result omits stopped
   * containers.
   */
  usage(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, InstanceUsage>>;
}
