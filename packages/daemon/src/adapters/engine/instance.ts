import type { Group, Limits } from './group.ts';
import type { ObjectKind } from './labels.ts';
import type { Probe, ProbeResult } from './probe.ts';

export type InstanceState = 'created' | 'running' | 'restarting' | 'paused' | 'exited' | 'dead';

/** What the engine says of one of our containers. */
export interface ObservedInstance {
  /** The engine's container id. */
  id: string;
  name: string;
  kind: ObjectKind;
  /** The reference of the app, database or object store; null when its label is gone. */
  app: string | null;
  deployment: number | null;
  state: InstanceState;
  /** Of the last exit; null while it never exited. */
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  address: string | null;
  /** False: it runs and is on no network, so that nothing reaches it. True for one that does not run. */
  connected: boolean;
  startedAt: Date | null;
}

/** The end of an instance. */
export interface Exit {
  exitCode: number;
  oomKilled: boolean;
}

/** What an instance uses. Counters begin at 0 with its start. */
export interface InstanceUsage {
  at: Date;
  /** CPU time since its start, in nanoseconds over all cores. */
  cpuNs: number;
  /** Without the page cache, which the kernel takes back when it needs it. */
  memoryBytes: number;
  /** Null: no limit. */
  memoryLimitBytes: number | null;
  receivedBytes: number;
  sentBytes: number;
}

/** Containers, from their creation to their removal. Each is found by its id, or by its name while its id is not on record. */
export interface EngineInstances {
  /**
   * Creates (not starts) a group's containers, concurrently, each with its files. Idempotent by name: a container of the
   * same name, kind and deployment is adopted as it is (without a deployment: of the same kind and owner); its files are
   * put in anew while it was never started. Restart policy `no`: an instance under check that exits must stay down to be seen.
   * @returns container ids in the order of the members. When one fails, the others are left for the caller's undo.
   */
  createGroup(group: Group, signal?: AbortSignal): Promise<string[]>;
  /** Makes a container run: starts it, or unpauses it. One that runs already is fine. */
  start(id: string, signal?: AbortSignal): Promise<void>;
  /** From now on the engine restarts the container by itself (`unless-stopped`). Idempotent. */
  keepRunning(id: string): Promise<void>;
  /** Resolves when the container is not running (at once if it is not); rejects with the signal's reason on abort. */
  waitExit(id: string, signal: AbortSignal): Promise<Exit>;
  /** Sends the stop signal, waits up to `graceS` seconds, then kills. Gone or stopped already is fine. */
  stop(id: string, stop: { signal: string; graceS: number }): Promise<void>;
  /** Removes a container, killing it if it runs; its named volumes stay. Gone already is fine. */
  remove(id: string): Promise<void>;
  /** Changes limits in place; only with `capabilities.liveLimits`. */
  setLimits(id: string, limits: Limits): Promise<void>;
  /** Every container of ours, in any state: of apps, one-offs, databases and object stores, not the platform's own. */
  observe(signal?: AbortSignal): Promise<ObservedInstance[]>;
  /** One look at an instance, from where the proxy stands. Never throws for an instance that does not answer. */
  probe(id: string, probe: Probe, signal?: AbortSignal): Promise<ProbeResult>;
  /** What the running instances of these ids use; those that do not run are left out. */
  usage(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, InstanceUsage>>;
}
