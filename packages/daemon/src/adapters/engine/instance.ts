import type { Group, Limits } from './group.ts';
import type { ObjectKind } from './labels.ts';
import type { Probe, ProbeResult } from './probe.ts';

export type InstanceState = 'created' | 'running' | 'restarting' | 'paused' | 'exited' | 'dead';

/** State of one container of this instance as the engine reports it. */
export interface ObservedInstance {
  /** Container id of the engine. */
  id: string;
  name: string;
  kind: ObjectKind;
  /** Reference of the app, database or object store, or `null` if the label is missing. */
  app: string | null;
  deployment: number | null;
  state: InstanceState;
  /** Exit code of the last exit, or `null` if the container has never exited. */
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  address: string | null;
  /**
   * `false` if the container runs without a network, so that no request can reach it. `true` for a container that does
   * not run.
   */
  connected: boolean;
  startedAt: Date | null;
}

/** Exit of a container. */
export interface Exit {
  exitCode: number;
  oomKilled: boolean;
}

/** Resource use of a container. Counters start at 0 when the container starts. */
export interface InstanceUsage {
  at: Date;
  /** CPU time since the start in nanoseconds, summed over all cores. */
  cpuNs: number;
  /** Memory without the page cache, because the kernel frees the page cache when it needs memory. */
  memoryBytes: number;
  /** Memory limit, or `null` if there is none. */
  memoryLimitBytes: number | null;
  receivedBytes: number;
  sentBytes: number;
}

/**
 * Calls that create, run, inspect and remove containers. A call finds a container by its id, or by its name before the
 * id is recorded.
 */
export interface EngineInstances {
  /**
   * Creates the containers of a group concurrently, each with its files, and does not start them. Idempotent: an
   * existing container of the same name, kind and deployment is used unchanged. A container without a deployment must
   * have the same kind and owner. The files of an existing container are written again until its first start. The
   * restart policy is `no`, because a new container that exits during its health check must stay visible.
   * @returns container ids in the order of the members
   * @throws an error if one container fails; the caller removes the others
   */
  createGroup(group: Group, signal?: AbortSignal): Promise<string[]>;
  /** Starts or unpauses a container. Succeeds if the container already runs. */
  start(id: string, signal?: AbortSignal): Promise<void>;
  /** Sets the restart policy `unless-stopped`, so that the engine restarts the container automatically. Idempotent. */
  keepRunning(id: string): Promise<void>;
  /**
   * Resolves when the container is not running, immediately if it does not run. Rejects with the reason of the signal
   * on abort.
   */
  waitExit(id: string, signal: AbortSignal): Promise<Exit>;
  /**
   * Sends the stop signal, waits up to `graceS` seconds, then kills the container. Succeeds if the container does not
   * exist or is stopped.
   */
  stop(id: string, stop: { signal: string; graceS: number }): Promise<void>;
  /**
   * Removes a container and kills it first if it runs. Named volumes stay. Succeeds if the container does not exist.
   */
  remove(id: string): Promise<void>;
  /** Changes limits of a running container without a restart. Requires `capabilities.liveLimits`. */
  setLimits(id: string, limits: Limits): Promise<void>;
  /**
   * Returns all containers of apps, one-off commands, databases and object stores of this instance, in any state.
   * Platform containers, such as the proxy, are not included.
   */
  observe(signal?: AbortSignal): Promise<ObservedInstance[]>;
  /**
   * Probes a container once, over the network that the proxy uses. Never throws for a container that does not answer.
   */
  probe(id: string, probe: Probe, signal?: AbortSignal): Promise<ProbeResult>;
  /** Returns the resource use of the running containers with these ids. Containers that do not run are omitted. */
  usage(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, InstanceUsage>>;
}
