import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { memoryKill } from '../app-spec/memory-kill.ts';
import { limitsOf } from '../db/instance-limits.ts';
import type { InstanceRow } from '../db/tables/instance.ts';
import type { ReconcilersDeps } from './deps.ts';

/**
 * Time in milliseconds for which an app shows an out-of-memory kill. Docker restarts a killed replica at once, so users
 * could not see the reason otherwise.
 */
const SHOWN_MS = 3_600_000;

interface Kill {
  appId: number;
  replica: string;
  /** Memory limit of the replica in bytes when it was killed, or `null` if it had no limit. */
  limit: number | null;
  at: number;
  /** Identifies the start of the killed container. `null` if the container has already started again. */
  start: string | null;
  /** `true` if users no longer see the out-of-memory kill, because it is old or the memory limit was raised. */
  isOver: boolean;
}

/** Out-of-memory kills of active replicas. The kills are not stored, so they are lost at a restart of the daemon. */
export class MemoryKills {
  readonly #base: Pick<ReconcilersDeps, 'store' | 'now'>;
  /** Map from container id to the last out-of-memory kill in the container. */
  readonly #kills = new Map<string, Kill>();
  /** Ids of containers for which Docker has reported an out-of-memory kill since the last call of `see`. */
  #reported = new Set<string>();
  /** `true` until the first call of `see`. */
  #isFirst = true;

  constructor(base: Pick<ReconcilersDeps, 'store' | 'now'>) {
    this.#base = base;
  }

  /**
   * Returns a text for users about the last out-of-memory kill in an app, or `null` if there was none in the last hour.
   */
  reasonOf(appId: number): string | null {
    const kill = [...this.#kills.values()].findLast((one) => one.appId === appId && !one.isOver);
    return kill === undefined ? null : memoryKill(`A process of the replica ${kill.replica} was killed`, kill.limit);
  }

  /** Remembers an out-of-memory kill that Docker has reported. The next call of `see` records the kill. */
  report(containerId: string): void {
    this.#reported.add(containerId);
  }

  /** Records new out-of-memory kills of active replicas. Marks old kills as over, so that apps no longer show them. */
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
      // After a restart of the container, only an event from Docker shows the out-of-memory kill.
      const start = seen.oomKilled ? startOf(seen) : null;
      const isFound = start !== null && this.#kills.get(seen.id)?.start !== start;
      if (!isFound && !reported.has(seen.id)) continue;
      // Docker keeps the flag `OOMKilled` while the container runs, so the kill may be older than the daemon process.
      const isOver = isFirst && seen.state === 'running' && !reported.has(seen.id);
      this.#put(seen.id, row, { start, isOver });
      if (!isOver) changed.add(row.app_id);
    }
    this.#publish(changed);
  }

  /** Marks outdated out-of-memory kills as over. Returns the ids of the affected apps. */
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
    // Moves the container to the end of the map, because an app shows its last kill in the map.
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
