/**
 * Limits of managed services. Desired limits may not be applied yet. So the quota uses the higher of the desired limits
 * and the limits in `container_limits`.
 */
import type { Limits } from '../adapters/engine/group.ts';
import { SERVICE_PIDS } from '../quotas/quota.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';
import { inTurn } from './turn.ts';

/** JSON content of the column `container_limits`, with the same units as in the API: CPU cores and bytes. */
interface ContainerLimits {
  /** Limit of CPU cores, or `null` for no limit. */
  cpu: number | null;
  memory_bytes: number | null;
  pids: number;
  /** Whether Docker has confirmed these limits. Before the confirmation, the container may have lower limits. */
  confirmed: boolean;
}

/** Returns the desired limits of the container of a database or object store in the format of the Docker client. */
export function managedServiceLimits({ cpu, memory_bytes: memoryBytes }: ManagedServiceRow): Limits {
  return { cpu, memoryBytes, pids: SERVICE_PIDS };
}

/**
 * Returns the limits of a new container as JSON for the column `container_limits`. They are the desired limits, because
 * Docker creates the container with them.
 */
export function limitsAtCreation(row: ManagedServiceRow): string {
  return JSON.stringify(wished(row));
}

/**
 * Returns whether a container has the desired limits and Docker has confirmed them. Returns `true` if there is no
 * container.
 */
export function hasLimits(row: ManagedServiceRow): boolean {
  const has = containerLimits(row);
  return row.container_id === null || (has !== null && isSame(has, wished(row)));
}

/**
 * Applies the desired limits to the container of a managed service.
 * @throws EngineRefused if Docker rejects the limits
 * @throws EngineUnavailable, or the abort reason
 */
export function applyServiceLimits<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: Pick<ManagedServicesDeps, 'engine' | 'store' | 'managedServiceTurns'>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { engine, store } = base;
  return inTurn(kind.subject, base, id, signal, async () => {
    const row = kind.find(store, id);
    if (!engine.capabilities.liveLimits || row?.container_id == null || hasLimits(row)) return;
    /*
     * The quota must include the limits before Docker sets them. Do not use `await` between the read of `row` and this
     * write.
     */
    store.tx((tx) => kind.change(tx, id, { container_limits: JSON.stringify(whileChanging(row)) }));
    await engine.setLimits(row.container_id, managedServiceLimits(row));
    store.tx((tx) => {
      // Another change may have replaced the container. The limits of the new container are already saved.
      if (kind.find(tx, id)?.container_id !== row.container_id) return;
      kind.change(tx, id, { container_limits: limitsAtCreation(row) });
    });
  });
}

function wished({ cpu, memory_bytes }: ManagedServiceRow): ContainerLimits {
  return { cpu, memory_bytes, pids: SERVICE_PIDS, confirmed: true };
}

/**
 * Returns the limits in the column `container_limits`, or `null` if the column is empty. During a change, the column
 * contains the higher of the old and the new limits.
 */
function containerLimits({ container_limits }: ManagedServiceRow): ContainerLimits | null {
  // The cast is safe, because only this file and a database migration write this column.
  return container_limits === null ? null : (JSON.parse(container_limits) as ContainerLimits);
}

function isSame(one: ContainerLimits, other: ContainerLimits): boolean {
  const keys = ['cpu', 'memory_bytes', 'pids', 'confirmed'] as const;
  return keys.every((key) => one[key] === other[key]);
}

/**
 * Returns the higher of the current and the desired limits. During a change, the container may have either of the two
 * limits.
 */
function whileChanging(row: ManagedServiceRow): ContainerLimits {
  const [has, wish] = [containerLimits(row), wished(row)];
  const { cpu, memory_bytes, pids } = has ?? wish;
  return {
    cpu: larger(cpu, wish.cpu),
    memory_bytes: larger(memory_bytes, wish.memory_bytes),
    pids: Math.max(pids, wish.pids),
    confirmed: false,
  };
}

function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}
