import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { memoryKill } from '../app-spec/memory-kill.ts';
import { limitsOf } from '../db/instance-limits.ts';
import type { InstanceRow } from '../db/tables/instance.ts';
import type { ReconcilersDeps } from './deps.ts';

/**
 * Time in milliseconds for which an app shows a kill. Docker restarts a killed replica at once, so users could not see
 * the reason otherwise.
 */
const SHOWN_MS = 3_600_000;

interface Kill {
  appId: number;
  replica: string;
  /** Memory limit of the replica in bytes when it was killed, or `null` if it had no limit. */
  limit: number | null;
  at: number;
  /** Start of the container that was killed. `null` if the container has already started again. */
  start: string | null;
  /** Whether the app no longer shows the kill, because it is old or because the memory limit was raised. */
  isOver: boolean;
}

/**
 * Kills of active replicas because of their memory use. The kills are not stored, so a restart of the daemon forgets
 * them.
 */
export class MemoryKills {
  readonly #base: Pick<ReconcilersDeps, 'store' | 'now'>;
  /** Map from container id to the last kill in this container. */
  readonly #kills = new Map<string, Kill>();
  /** Ids of containers for which Docker has reported a kill since the last call of `see`. */
  #reported = new Set<string>();
  /** Whether `see` has not been called yet. */
  #isFirst = true;

  constructor(base: Pick<ReconcilersDeps, 'store' | 'now'>) {
    this.#base = base;
  }

  /** Returns sentences for users about the last kill in an app, or `null` if there was none in the last hour. */
  reasonOf(appId: number): string | null {
    const kill = [...this.#kills.values()].findLast((one) => one.appId === appId && !one.isOver);
    return kill === undefined ? null : memoryKill(`A process of the replica ${kill.replica} was killed`, kill.limit);
  }

  /** Remembers a kill that Docker has reported, until the next call of `see` records it. */
  report(containerId: string): void {
    this.#reported.add(containerId);
  }

  /** Records new kills in active replicas, and ends those that apps no longer need to show. */
  see(rows: readonly InstanceRow[], observed: readonly ObservedInstance[]): void {
    const active = activeRows(rows);
    const reported = this.#reported;
    this.#reported = new Set();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const changed = this.#end(active);
    for (const seen of observed) {
      const row = active.get(seen.id);
      if (row === undefined) continue;
      // After a restart of the container, only the event of Docker says that the container was killed.
      const start = seen.oomKilled ? startOf(seen) : null;
      const isFound = start !== null && this.#kills.get(seen.id)?.start !== start;
      if (!isFound && !reported.has(seen.id)) continue;
      // Docker keeps the mark of a kill while the container runs, so the kill may be older than the daemon.
      const isOver = isFirst && seen.state === 'running' && !reported.has(seen.id);
      this.#put(seen.id, row, { start, isOver });
      if (!isOver) changed.add(row.app_id);
    }
    this.#publish(changed);
  }

  /** Ends kills that apps no longer need to show. Returns the ids of these apps. */
  #end(active: ReadonlyMap<string, InstanceRow>): Set<number> {
    const { now } = this.#base;
    const changed = new Set<number>();
    for (const [id, kill] of this.#kills) {
      const row = active.get(id);
      if (row === undefined) this.#kills.delete(id);
      if (kill.isOver || (row !== undefined && now() < kill.at + SHOWN_MS && !isRaised(row, kill))) continue;
      kill.isOver = true;
      changed.add(kill.appId);
    }
    return changed;
  }

  #put(containerId: string, row: InstanceRow, { start, isOver }: Pick<Kill, 'start' | 'isOver'>): void {
    // A new entry is last in the map, so that apps show the newest kill.
    this.#kills.delete(containerId);
    const { app_id: appId, name: replica } = row;
    const limit = limitsOf(row).memory_bytes;
    this.#kills.set(containerId, { appId, replica, limit, at: this.#base.now(), start, isOver });
  }

  #publish(appIds: ReadonlySet<number>): void {
    if (appIds.size === 0) return;
    this.#base.store.tx((tx) => {
      for (const appId of appIds) tx.event({ kind: 'app', appId, data: { change: 'status' } });
    });
  }
}

function activeRows(rows: readonly InstanceRow[]): Map<string, InstanceRow> {
  const active = rows.flatMap((row): [string, InstanceRow][] =>
    row.role === 'active' && row.container_id !== null ? [[row.container_id, row]] : [],
  );
  return new Map(active);
}

/** Identifies one start of a container, because Docker restarts a container without a new id. */
function startOf({ startedAt, restarts }: ObservedInstance): string {
  return `${startedAt?.getTime() ?? 'never'} ${restarts}`;
}

function isRaised(row: InstanceRow, { limit }: Kill): boolean {
  return (limitsOf(row).memory_bytes ?? Number.POSITIVE_INFINITY) > (limit ?? Number.POSITIVE_INFINITY);
}
