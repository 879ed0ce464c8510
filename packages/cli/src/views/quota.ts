import { bytes, type Quota, whyDiskUseUnknown } from '@davit/api';

/**
 * Returns a table row for each resource that a project's quota can limit. The row contains the current usage and the
 * limit.
 */
export function quotaRows(quota: Quota): [string, string][] {
  const { used } = quota;
  return [
    ['replicas', line(used.replicas, quota.replicas)],
    ['memory', line(used.memory_bytes, quota.memory_bytes, bytes)],
    ['cpu', line(used.cpu, quota.cpu)],
    ['pids', line(used.pids, quota.pids)],
    ['volumes', line(used.volumes, quota.volumes)],
    ['databases', line(used.databases, quota.databases)],
    ['disk', diskLine(quota)],
  ];
}

function line(use: number, limit: number | null, show: (n: number) => string = String): string {
  return limit === null ? `${show(use)} (no limit)` : `${show(use)} of ${show(limit)}`;
}

function diskLine(quota: Quota): string {
  const { disk_bytes: limit, used } = quota;
  if (used.disk_bytes !== null) return line(used.disk_bytes, limit, bytes);
  return `${whyDiskUseUnknown(quota)}${limit === null ? '' : ` (limit: ${bytes(limit)})`}`;
}
