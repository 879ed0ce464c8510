import { defineCommand } from '../command.ts';
import { bytes, minute } from '../output/words.ts';

const WINDOWS = ['1h', '6h', '24h', '7d'] as const;
const SHOWN = 20;

export const command = defineCommand({
  path: ['metrics'],
  summary: 'Show what the machine used',
  options: { window: { short: 'w', value: 'window', choices: WINDOWS, description: 'how far back; 1h unless given' } },
  examples: [{ line: 'davit metrics -w 24h', does: 'the last day; of an app: davit app metrics' }],
  async run({ client, out, options }) {
    const metrics = await (await client()).getInstanceMetrics({ query: { window: options.window ?? '1h' } });
    if (out.isJson) return out.json(metrics);
    const every = Math.ceil(metrics.samples.length / SHOWN);
    const rows = metrics.samples.filter((_, index) => (metrics.samples.length - 1 - index) % every === 0);
    out.list(rows, {
      columns: [
        { header: 'at', value: ({ at }) => minute(at) },
        { header: 'cpu %', value: ({ cpu_percent }) => cpu_percent?.toFixed(1) ?? null, align: 'right' },
        {
          header: 'memory',
          value: (one) => (one.memory_bytes === null ? null : bytes(one.memory_bytes)),
          align: 'right',
        },
        { header: 'disk', value: (one) => (one.disk_bytes === null ? null : bytes(one.disk_bytes)), align: 'right' },
        { header: 'load', value: ({ load }) => load?.toFixed(2) ?? null, align: 'right' },
      ],
      id: ({ at }) => at,
      empty: 'Nothing was measured yet.',
    });
  },
});
