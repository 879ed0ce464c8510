import { type AppMetrics, bytes, type MachineMetrics } from '@davit/api';
import type { ListView } from '../output/printer.ts';
import { minute } from '../output/words.ts';

const empty = 'No metrics yet.';

export const usageList: ListView<AppMetrics['samples'][number]> = {
  columns: [
    { header: 'time', value: ({ at }) => minute(at) },
    { header: 'cpu %', value: ({ cpu_percent }) => fixed(cpu_percent, 1), align: 'right' },
    { header: 'memory', value: ({ memory_bytes }) => amount(memory_bytes), align: 'right' },
    { header: 'in/s', value: ({ received_bytes_per_s }) => amount(received_bytes_per_s), align: 'right' },
    { header: 'out/s', value: ({ sent_bytes_per_s }) => amount(sent_bytes_per_s), align: 'right' },
    { header: 'replicas', value: ({ replicas }) => replicas, align: 'right' },
  ],
  id: ({ at }) => at,
  empty,
};

export const trafficList: ListView<AppMetrics['traffic']['samples'][number]> = {
  columns: [
    { header: 'time', value: ({ at }) => minute(at) },
    { header: 'requests/s', value: ({ requests_per_s }) => fixed(requests_per_s, 1), align: 'right' },
    { header: '4xx %', value: ({ client_error_share }) => percent(client_error_share), align: 'right' },
    {
      header: '5xx %',
      value: ({ server_error_share }) => percent(server_error_share),
      align: 'right',
      style: ({ server_error_share }) => ((server_error_share ?? 0) > 0 ? 'red' : undefined),
    },
    { header: 'p50 ms', value: ({ p50_ms }) => fixed(p50_ms, 0), align: 'right' },
    { header: 'p95 ms', value: ({ p95_ms }) => fixed(p95_ms, 0), align: 'right' },
    { header: 'p99 ms', value: ({ p99_ms }) => fixed(p99_ms, 0), align: 'right' },
    { header: 'out/s', value: ({ sent_bytes_per_s }) => amount(sent_bytes_per_s), align: 'right' },
    { header: 'missed', value: ({ missed }) => missed || '', align: 'right' },
  ],
  id: ({ at }) => at,
  empty,
};

export const machineList: ListView<MachineMetrics['samples'][number]> = {
  columns: [
    { header: 'time', value: ({ at }) => minute(at) },
    { header: 'cpu %', value: ({ cpu_percent }) => fixed(cpu_percent, 1), align: 'right' },
    { header: 'memory', value: ({ memory_bytes }) => amount(memory_bytes), align: 'right' },
    { header: 'disk', value: ({ disk_bytes }) => amount(disk_bytes), align: 'right' },
    { header: 'load', value: ({ load }) => fixed(load, 2), align: 'right' },
  ],
  id: ({ at }) => at,
  empty,
};

function fixed(value: number | null, digits: number): string | null {
  return value === null ? null : value.toFixed(digits);
}

function percent(share: number | null): string | null {
  return share === null ? null : (share * 100).toFixed(1);
}

function amount(count: number | null): string | null {
  return count === null ? null : bytes(Math.round(count));
}
