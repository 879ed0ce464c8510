import { shownSamples, WINDOW } from '../arguments/metrics-window.ts';
import { defineCommand } from '../declaration/command.ts';
import { machineList } from '../views/metric.ts';

export const command = defineCommand({
  path: ['metrics'],
  summary: 'Show the metrics of the server',
  description:
    'Shows at most 20 data points, at equal intervals in the time range. To get all data points, use --json. For the metrics of one app, use `davit app metrics`.',
  options: { window: WINDOW },
  examples: [{ line: 'davit metrics -w 24h', does: 'Show the metrics of the last 24 hours' }],
  async run({ client, out, options }) {
    const metrics = await (await client()).getInstanceMetrics({ query: { window: options.window ?? '1h' } });
    if (out.isJson) out.json(metrics);
    else out.list(shownSamples(metrics.samples), machineList);
  },
});
