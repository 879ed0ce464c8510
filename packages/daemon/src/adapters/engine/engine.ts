/**
 * The engine: what runs containers.
 *
 * Few primitives, the same on every adapter. Blue/green, health gates and retirement are the deployment runner's work, so
 * that they behave alike on every engine; an engine's own rolling update is never used. Every object an adapter makes
 * carries this Davit's permanent id in its name and labels, and an adapter never lists, counts or removes an object
 * without that id: two Davits on one engine do not see each other.
 */

import type { EngineImages } from './image.ts';
import type { EngineInstances } from './instance.ts';
import type { EngineLogs } from './logs.ts';
import type { EngineNetworks } from './network.ts';
import type { EnginePrograms } from './programs.ts';
import type { EngineVolumes } from './volume.ts';

/** What an adapter can do; documented so that plans can say what will happen without naming an engine. */
export interface EngineCapabilities {
  /** Nothing real runs: shown in the terminal and by `GET /instance`. */
  simulated: boolean;
  /** CPU, memory and pids limits of a running instance can be changed in place. */
  liveLimits: boolean;
}

export interface EngineInfo {
  /** Identity of the engine, which stays over restarts and upgrades of it. */
  id: string;
  /** For example `20.10.24`; the adapter's own word. */
  version: string;
  cpus: number;
  memoryBytes: number;
}

/** Something happened to one of our containers; `resync` after a gap, when anything may have. */
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

  /** @throws EngineUnavailable when nothing answers within 2 s */
  info(signal?: AbortSignal): Promise<EngineInfo>;

  /** What happens to our containers, until the signal aborts; survives an engine restart with a `resync`. */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent>;
}

/** An engine without requests to other registries, which the daemon sends (`adapters/registry/remote/`). */
export type BareEngine = Omit<Engine, 'checkRegistry'>;
