/**
 * Interface to Docker with few, simple operations. The Docker adapter and the simulation implement it with the same
 * behavior. Davit's deployment runner implements blue/green deployment, health checks and the removal of old replicas
 * itself.
 *
 * An adapter puts the permanent id of the Davit instance into the name and the labels of each Docker object that it
 * creates. It never lists, counts or removes an object without that id. Two Davit instances can therefore share one
 * Docker Engine.
 */

import type { EngineImages } from './image.ts';
import type { EngineInstances } from './instance.ts';
import type { EngineLogs } from './logs.ts';
import type { EngineNetworks } from './network.ts';
import type { EnginePrograms } from './programs.ts';
import type { EngineVolumes } from './volume.ts';

/** Optional features of an `Engine` implementation. Code checks these flags and not the name of the implementation. */
export interface EngineCapabilities {
  /** `true` if no real containers run, as in tests and demos. The terminal and `GET /instance` report this. */
  simulated: boolean;
  /** `true` if the CPU, memory and process limits of a running container can change without a restart. */
  liveLimits: boolean;
}

export interface EngineInfo {
  /** Permanent id of the Docker Engine. The id stays the same after a restart or an upgrade of Docker. */
  id: string;
  /** Version of the Docker Engine, for example `20.10.24`. */
  version: string;
  cpus: number;
  memoryBytes: number;
}

/**
 * A change of one container of this Davit instance. `resync` means that events may have been lost, so the receiver must
 * query all containers again.
 */
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

  /** @throws EngineUnavailable if Docker does not respond within 2 s */
  info(signal?: AbortSignal): Promise<EngineInfo>;

  /**
   * Yields events of this Davit instance's containers until the signal aborts. After a restart of Docker, the
   * iteration continues with a `resync` event.
   */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent>;
}

/**
 * `Engine` interface without the method `checkRegistry`, because the daemon checks the credentials of other registries
 * without Docker (`adapters/registry/remote/`).
 */
export type BareEngine = Omit<Engine, 'checkRegistry'>;
