import { bytes, type Quota } from '@davit/api';

/**
 * Returns a table row for each resource that a project's quota limits. The row contains the current usage and the
 * limit.
 */
export function quotaRows(quota: Quota): [string, string][] {
  const { used } = quota;
  const line = (use: number | null, limit: number | null, show: (n: number) => string = String) =>
    `${use === null ? 'not measured' : show(use)} of ${limit === null ? 'no limit' : show(limit)}`;
  return [
    ['replicas', line(used.replicas, quota.replicas)],
    ['memory', line(used.memory_bytes, quota.memory_bytes, bytes)],
    ['cpu', line(used.cpu, quota.cpu)],
    ['pids', line(used.pids, quota.pids)],
    ['volumes', line(used.volumes, quota.volumes)],
    ['databases', line(used.databases, quota.databases)],
    ['disk', line(used.disk_bytes, quota.disk_bytes, bytes)],
  ];
}
