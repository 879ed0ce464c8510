/**
 * Interface to Docker with few, simple operations. The Docker adapter and a simulation for tests implement the
 * interface with the same behavior. Docker does no blue/green deployments, health checks or removal of old replicas.
 * Davit's deployment runner does this work.
 *
 * Each Davit instance has a permanent id. An adapter puts this id into the name and the labels of each Docker object
 * that it creates. An adapter never lists, counts or removes Docker objects without this id. Two Davit instances can
 * therefore share one Docker Engine.
 */

import type { EngineImages } from './image.ts';
import type { EngineInstances } from './instance.ts';
import type { EngineLogs } from './logs.ts';
import type { EngineNetworks } from './network.ts';
import type { EnginePrograms } from './programs.ts';
import type { EngineVolumes } from './volume.ts';

/**
 * Optional features of an `Engine` implementation. Callers check these flags instead of the name of the implementation.
 */
export interface EngineCapabilities {
  /**
   * `true` if the `Engine` only simulates containers, as in tests and demos. The terminal and `GET /instance` show the
   * value.
   */
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
 * Change of one container of this Davit instance. The event `resync` means that events may be lost, so the receiver
 * must query all containers again.
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

  /** @throws EngineUnavailable if Docker does not respond within 2 seconds */
  info(signal?: AbortSignal): Promise<EngineInfo>;

  /**
   * Yields events of this Davit instance's containers until the signal aborts. After a restart of Docker, the iterator
   * yields a `resync` event and continues.
   */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent>;
}

/**
 * `Engine` interface without the method `checkRegistry`. The daemon itself checks the credentials of other registries
 * (`adapters/registry/remote/`).
 */
export type BareEngine = Omit<Engine, 'checkRegistry'>;
