/**
 * Limits of the container of a managed service. The columns `cpu` and `memory_bytes` are the desired limits.
 * The column `container_limits` has the actual limits, as far as the engine has confirmed them. A quota counts the
 * larger value (`db/tables/quota.ts`).
 */
import type { Limits } from '../adapters/engine/group.ts';
import { SERVICE_PIDS } from '../quotas/quota.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { Resident, ResidentRow } from './resident.ts';
import { inTurn } from './turn.ts';

/** JSON of the column `container_limits`, in the units of the API. */
interface ContainerLimits {
  /** Number of CPU cores, or `null` if there is no limit. */
  cpu: number | null;
  memory_bytes: number | null;
  pids: number;
  /** Whether the engine has confirmed the limits. If `false`, the container has these or smaller limits. */
  confirmed: boolean;
}

/** Returns the desired limits of the container. */
export function residentLimits({ cpu, memory_bytes: memoryBytes }: ResidentRow): Limits {
  return { cpu, memoryBytes, pids: SERVICE_PIDS };
}

/** Returns the value of `container_limits` for a container that is created with the desired limits. */
export function limitsAtCreation(row: ResidentRow): string {
  return JSON.stringify(wished(row));
}

/** Returns whether the engine has confirmed the desired limits. Returns `true` if there is no container. */
export function hasLimits(row: ResidentRow): boolean {
  const has = containerLimits(row);
  return row.container_id === null || (has !== null && isSame(has, wished(row)));
}

/**
 * Applies the desired limits to the container, after earlier changes of the same managed service.
 * @throws EngineRefused if the engine rejects the limits; the container then keeps its limits
 * @throws EngineUnavailable, the signal's reason
 */
export function applyServiceLimits<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: Pick<ManagedServicesDeps, 'engine' | 'store' | 'residentTurns'>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { engine, store } = base;
  return inTurn(kind.subject, base, id, signal, async () => {
    const row = kind.find(store, id);
    if (!engine.capabilities.liveLimits || row?.container_id == null || hasLimits(row)) return;
    // This write must happen in the same tick as the read. During the engine's request, quotas then count at least what
    // the engine may grant.
    store.tx((tx) => kind.change(tx, id, { container_limits: JSON.stringify(whileChanging(row)) }));
    await engine.setLimits(row.container_id, residentLimits(row));
    store.tx((tx) => {
      // Another container was created with its own limits.
      if (kind.find(tx, id)?.container_id !== row.container_id) return;
      kind.change(tx, id, { container_limits: limitsAtCreation(row) });
    });
  });
}

function wished({ cpu, memory_bytes }: ResidentRow): ContainerLimits {
  return { cpu, memory_bytes, pids: SERVICE_PIDS, confirmed: true };
}

/** Returns the actual limits, or `null` if they are not known. */
function containerLimits({ container_limits }: ResidentRow): ContainerLimits | null {
  // Only this file and the migration write this value, so that the cast is safe.
  return container_limits === null ? null : (JSON.parse(container_limits) as ContainerLimits);
}

function isSame(one: ContainerLimits, other: ContainerLimits): boolean {
  const keys = ['cpu', 'memory_bytes', 'pids', 'confirmed'] as const;
  return keys.every((key) => one[key] === other[key]);
}

/** Returns the larger value of the actual and the desired limit, for each limit. */
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

/** Returns the larger limit. `null` means no limit. */
function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}
