/**
 * Interface of the engine that runs containers.
 *
 * The interface has few primitives, and they behave the same on every adapter. The deployment runner implements
 * blue/green deployment, health checks and the removal of old replicas. Deployments therefore work alike on every
 * engine, and the rolling update of an engine is never used.
 *
 * An adapter puts the permanent id of this Davit instance into the name and the labels of each object that it creates.
 * An adapter never lists, counts or removes an object without that id, so two Davit instances can share one engine.
 */

import type { EngineImages } from './image.ts';
import type { EngineInstances } from './instance.ts';
import type { EngineLogs } from './logs.ts';
import type { EngineNetworks } from './network.ts';
import type { EnginePrograms } from './programs.ts';
import type { EngineVolumes } from './volume.ts';

/** Abilities of an adapter. Plans use the abilities to describe what will happen without naming an engine. */
export interface EngineCapabilities {
  /** `true` if no real containers run. The terminal and `GET /instance` show this. */
  simulated: boolean;
  /** `true` if the CPU, memory and pids limits of a running container can be changed without a restart. */
  liveLimits: boolean;
}

export interface EngineInfo {
  /** Identity of the engine. A restart or an upgrade of the engine does not change this id. */
  id: string;
  /** Version in the engine's own format, for example `20.10.24`. */
  version: string;
  cpus: number;
  memoryBytes: number;
}

/** A change of one container of this instance. The kind `resync` follows a gap in which events may have been lost. */
export type EngineEvent = { kind: 'changed'; id: string; name: string; action: string } | { kind: 'resync' };

export interface Engine
  extends EngineImages,
    EngineNetworks,
    EngineInstances,
    EngineLogs,
    EnginePrograms,
    EngineVolumes,
    AsyncDisposable {
  readonly kind: 'docker' | 'memory';

  readonly capabilities: EngineCapabilities;

  /** @throws EngineUnavailable if the engine does not answer within 2 s */
  info(signal?: AbortSignal): Promise<EngineInfo>;

  /**
   * Yields the events of this instance's containers until the signal aborts. After a restart of the engine, the
   * iteration continues with a `resync`.
   */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent>;
}

/**
 * An engine without `checkRegistry`. The daemon itself sends the requests to other registries
 * (`adapters/registry/remote/`).
 */
export type BareEngine = Omit<Engine, 'checkRegistry'>;
