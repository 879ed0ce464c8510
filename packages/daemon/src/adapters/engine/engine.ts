/**
 * Interface of the container engine, with few primitive operations that behave the same on every adapter. Davit's
 * deployment runner implements blue/green deployment, health checks and the removal of old replicas itself. Deployments
 * therefore work the same on every container engine.
 *
 * An adapter puts the permanent id of the Davit instance into the name and the labels of each object that it creates.
 * An adapter never lists, counts or removes an object without that id, so two Davit instances can share one engine.
 */

import type { EngineImages } from './image.ts';
import type { EngineInstances } from './instance.ts';
import type { EngineLogs } from './logs.ts';
import type { EngineNetworks } from './network.ts';
import type { EnginePrograms } from './programs.ts';
import type { EngineVolumes } from './volume.ts';

/**
 * Optional features of a container engine. Previews of changes depend on these features and not on the name of the
 * engine.
 */
export interface EngineCapabilities {
  /** `true` if no real containers run, as in tests and demos. The terminal and `GET /instance` report this. */
  simulated: boolean;
  /** `true` if the CPU, memory and process limits of a running container can change without a restart. */
  liveLimits: boolean;
}

export interface EngineInfo {
  /** Permanent id of the container engine. The id stays the same after a restart or an upgrade of the engine. */
  id: string;
  /** Version of the container engine in the engine's own format, for example `20.10.24`. */
  version: string;
  cpus: number;
  memoryBytes: number;
}

/**
 * A change of one container of this Davit instance. `resync` means that events may have been lost, so the reader must
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

  /** @throws EngineUnavailable if the container engine does not answer within 2 s */
  info(signal?: AbortSignal): Promise<EngineInfo>;

  /**
   * Yields events of this Davit instance's containers until the signal aborts. After a restart of the container engine,
   * the iteration continues with a `resync` event.
   */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent>;
}

/**
 * Container engine without the call `checkRegistry`. The daemon itself sends requests to other registries
 * (`adapters/registry/remote/`).
 */
export type BareEngine = Omit<Engine, 'checkRegistry'>;
