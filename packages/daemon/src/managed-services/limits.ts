/**
 * Limits of the container of a managed service. Those on record are what it is to have; `container_limits` is what it has, as
 * far as the engine has confirmed it. A quota counts the larger of the two (`db/tables/quota.ts`).
 */
import type { Limits } from '../adapters/engine/group.ts';
import { SERVICE_PIDS } from '../quotas/quota.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { Resident, ResidentRow } from './resident.ts';
import { inTurn } from './turn.ts';

/** JSON of the column `container_limits`, in the units of the API. */
interface ContainerLimits {
  /** Cores; null: no limit. */
  cpu: number | null;
  memory_bytes: number | null;
  pids: number;
  /** False: the engine has not answered, or refused: the container has these or smaller ones. */
  confirmed: boolean;
}

/** The limits that its container is to have. */
export function residentLimits({ cpu, memory_bytes: memoryBytes }: ResidentRow): Limits {
  return { cpu, memoryBytes, pids: SERVICE_PIDS };
}

/** For the column `container_limits` of a container that is created with the limits on record. */
export function limitsAtCreation(row: ResidentRow): string {
  return JSON.stringify(wished(row));
}

/** Whether the engine has confirmed the limits on record; true if there is no container. */
export function hasLimits(row: ResidentRow): boolean {
  const has = containerLimits(row);
  return row.container_id === null || (has !== null && isSame(has, wished(row)));
}

/**
 * Gives its container the limits that are on record when its turn comes.
 * @throws EngineRefused if the engine does not take them: the container keeps its own; EngineUnavailable, the signal's reason
 */
export function applyServiceLimits<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: Pick<ManagedServicesDeps, 'engine' | 'store' | 'residentTurns'>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { engine, store } = base;
  return inTurn(kind.noun, base, id, signal, async () => {
    const row = kind.find(store, id);
    if (!engine.capabilities.liveLimits || row?.container_id == null || hasLimits(row)) return;
    // In the same tick as the row was read: what is counted while the engine is asked is at least what it may give.
    store.tx((tx) => kind.change(tx, id, { container_limits: JSON.stringify(whileChanging(row)) }));
    await engine.setLimits(row.container_id, residentLimits(row));
    store.tx((tx) => {
      // Another container has been created with limits of its own.
      if (kind.find(tx, id)?.container_id !== row.container_id) return;
      kind.change(tx, id, { container_limits: limitsAtCreation(row) });
    });
  });
}

function wished({ cpu, memory_bytes }: ResidentRow): ContainerLimits {
  return { cpu, memory_bytes, pids: SERVICE_PIDS, confirmed: true };
}

/** Null: not known. */
function containerLimits({ container_limits }: ResidentRow): ContainerLimits | null {
  // Written by this file and by the migration alone.
  return container_limits === null ? null : (JSON.parse(container_limits) as ContainerLimits);
}

function isSame(one: ContainerLimits, other: ContainerLimits): boolean {
  const keys = ['cpu', 'memory_bytes', 'pids', 'confirmed'] as const;
  return keys.every((key) => one[key] === other[key]);
}

/** The larger ones of what it has and what it is to have. */
function whileChanging(row: ResidentRow): ContainerLimits {
  const [has, wish] = [containerLimits(row), wished(row)];
  const { cpu, memory_bytes, pids } = has ?? wish;
  return {
    cpu: larger(cpu, wish.cpu),
    memory_bytes: larger(memory_bytes, wish.memory_bytes),
    pids: Math.max(pids, wish.pids),
    confirmed: false,
  };
}

/** Null: no limit. */
function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}
