import type { InstanceUsage } from '../../adapters/engine/instance.ts';
import type { MeasuredInstance } from '../../db/tables/metric.ts';
import type { AppSample, AppTotals } from './metrics.ts';
import { countersOf, Rates } from './rates.ts';
import { NOTHING } from './samples.ts';

/**
 * Calculates the resource usage of each app. It is the sum over the app's replicas, including replicas of old releases.
 */
export class AppUse {
  readonly #rates = new Rates();
  readonly #totals = new Map<number, AppTotals>();

  /** Total resource usage of each app since this process first measured the app. */
  get totals(): ReadonlyMap<number, AppTotals> {
    return this.#totals;
  }

  /**
   * Calculates the resource usage of each app from one measurement of all containers.
   * @param longestMs maximum time in milliseconds between two measurements of a container. After a longer time, the CPU
   * and network usage of the container is unknown.
   * @returns map from app id to usage. The map has no entry for an app whose usage is unknown for all containers.
   */
  take(
    replicas: readonly MeasuredInstance[],
    usage: ReadonlyMap<string, InstanceUsage>,
    longestMs: number,
  ): Map<number, AppSample> {
    const sums = new Map<number, AppSample>();
    const measured = new Set<number>();
    for (const { app_id: appId, container_id: id } of replicas) {
      const used = usage.get(id);
      if (used === undefined) continue;
      const growth = this.#rates.growth(id, countersOf(used), longestMs);
      const sum = sums.get(appId) ?? { ...NOTHING };
      sums.set(appId, sum);
      sum.replicas += 1;
      sum.memoryBytes += used.memoryBytes;
      const { memoryLimitBytes: limit } = used;
      sum.memoryLimitBytes = sum.memoryLimitBytes === null || limit === null ? null : sum.memoryLimitBytes + limit;
      if (growth === null) continue;
      measured.add(appId);
      const [cpuNs = 0, received = 0, sent = 0] = growth.counts;
      sum.cpuPercent += (cpuNs / 1e9 / growth.seconds) * 100;
      sum.receivedBytesPerS += received / growth.seconds;
      sum.sentBytesPerS += sent / growth.seconds;
      this.#count(appId, cpuNs / 1e9, received, sent);
    }
    /*
     * CPU and network usage need two measurements of a replica. Omit an app if none of its replicas has two
     * measurements.
     */
    for (const appId of sums.keys()) if (!measured.has(appId)) sums.delete(appId);
    this.#rates.keepOnly(usage);
    const present = new Set(replicas.map(({ app_id: appId }) => appId));
    for (const appId of this.#totals.keys()) if (!present.has(appId)) this.#totals.delete(appId);
    return sums;
  }

  #count(appId: number, cpuS: number, receivedBytes: number, sentBytes: number): void {
    const total = this.#totals.get(appId) ?? { cpuS: 0, receivedBytes: 0, sentBytes: 0 };
    this.#totals.set(appId, total);
    total.cpuS += cpuS;
    total.receivedBytes += receivedBytes;
    total.sentBytes += sentBytes;
  }
}
