import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { memoryKill } from '../app-spec/memory-kill.ts';
import { limitsOf } from '../db/instance-limits.ts';
import type { InstanceRow } from '../db/tables/instance.ts';
import type { ReconcilersDeps } from './deps.ts';

/**
 * Time in milliseconds for which an app shows an out-of-memory kill. Without this time, users could not see the reason,
 * because Docker restarts a killed replica at once.
 */
const SHOWN_MS = 3_600_000;

interface Kill {
  appId: number;
  replica: string;
  /** Memory limit of the replica in bytes at the time of the kill, or `null` if there was no limit. */
  limit: number | null;
  at: number;
  /** Id of the start of the killed container. `null` if the container has already started again. */
  start: string | null;
  /**
   * Whether users no longer see the out-of-memory kill. The reason is that the kill is old, or that the memory limit
   * was raised.
   */
  isOver: boolean;
}

/** Out-of-memory kills of active replicas. They are stored only in memory, so a restart of the daemon deletes them. */
export class MemoryKills {
  readonly #base: Pick<ReconcilersDeps, 'store' | 'now'>;
  /** Map from container id to the last out-of-memory kill in the container. */
  readonly #kills = new Map<string, Kill>();
  /** Ids of containers for which Docker has reported an out-of-memory kill since the last call of the method `see`. */
  #reported = new Set<string>();
  /** `true` until the method `see` was called for the first time. */
  #isFirst = true;

  constructor(base: Pick<ReconcilersDeps, 'store' | 'now'>) {
    this.#base = base;
  }

  /**
   * Returns a text for users about the last out-of-memory kill in an app. Returns `null` if there was none in the last
   * hour.
   */
  reasonOf(appId: number): string | null {
    const kill = [...this.#kills.values()].findLast((one) => one.appId === appId && !one.isOver);
    return kill === undefined ? null : memoryKill(`A process of the replica ${kill.replica} was killed`, kill.limit);
  }

  /** Saves an out-of-memory kill that Docker has reported, until the next call of `see`. */
  report(containerId: string): void {
    this.#reported.add(containerId);
  }

  /** Saves new out-of-memory kills of active replicas. Marks old kills, so that apps no longer show them. */
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
      // After a restart of the container, only an event from Docker can show the out-of-memory kill.
      const start = seen.oomKilled ? startOf(seen) : null;
      const isFound = start !== null && this.#kills.get(seen.id)?.start !== start;
      if (!isFound && !reported.has(seen.id)) continue;
      // Docker keeps the flag `OOMKilled` while the container runs. So the kill may be older than the daemon process.
      const isOver = isFirst && seen.state === 'running' && !reported.has(seen.id);
      this.#put(seen.id, row, { start, isOver });
      if (!isOver) changed.add(row.app_id);
    }
    this.#publish(changed);
  }

  /**
   * Marks old out-of-memory kills, so that users no longer see them. Returns the ids of the apps whose kills were
   * marked.
   */
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
    // Move the container to the end of the map, because an app shows only its last kill in the map.
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

/**
 * Returns an id for one start of a container. The container id is not enough, because it does not change when Docker
 * restarts the container.
 */
function startOf({ startedAt, restarts }: ObservedInstance): string {
  return `${startedAt?.getTime() ?? 'never'} ${restarts}`;
}

function isRaised(row: InstanceRow, { limit }: Kill): boolean {
  return (limitsOf(row).memory_bytes ?? Number.POSITIVE_INFINITY) > (limit ?? Number.POSITIVE_INFINITY);
}
