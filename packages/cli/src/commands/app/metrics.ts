import { APP, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { bytes, minute } from '../../output/words.ts';

const WINDOWS = ['1h', '6h', '24h', '7d'] as const;
const SHOWN = 20;

export const command = defineCommand({
  path: ['app', 'metrics'],
  summary: 'Show what an app used',
  arguments: { app: APP },
  options: { window: { short: 'w', value: 'window', choices: WINDOWS, description: 'how far back; 1h unless given' } },
  examples: [{ line: 'davit app metrics shop/production/web -w 24h', does: 'the last day' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const metrics = await (await client()).getMetrics({ params, query: { window: options.window ?? '1h' } });
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
        { header: 'in/s', value: (one) => rate(one.received_bytes_per_s), align: 'right' },
        { header: 'out/s', value: (one) => rate(one.sent_bytes_per_s), align: 'right' },
        { header: 'instances', value: ({ instances }) => instances, align: 'right' },
      ],
      id: ({ at }) => at,
      empty: 'Nothing was measured yet.',
    });
  },
});

function rate(perSecond: number | null): string | null {
  return perSecond === null ? null : bytes(Math.round(perSecond));
}
