import { shownSamples, WINDOW } from '../arguments/metrics-window.ts';
import { defineCommand } from '../declaration/command.ts';
import { machineList } from '../views/metric.ts';

export const command = defineCommand({
  path: ['metrics'],
  summary: 'Show the metrics of the server',
  description:
    'Shows about 20 values, distributed over the time range. To get all values, use --json. For one app, use `davit app metrics`.',
  options: { window: WINDOW },
  examples: [{ line: 'davit metrics -w 24h', does: 'Show the last 24 hours' }],
  async run({ client, out, options }) {
    const metrics = await (await client()).getInstanceMetrics({ query: { window: options.window ?? '1h' } });
    if (out.isJson) out.json(metrics);
    else out.list(shownSamples(metrics.samples), machineList);
  },
});
