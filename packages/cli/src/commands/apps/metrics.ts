import { APP, appOf } from '../../arguments/app.ts';
import { shownSamples, WINDOW } from '../../arguments/metrics-window.ts';
import { defineCommand } from '../../declaration/command.ts';
import { trafficList, usageList } from '../../views/metric.ts';

export const command = defineCommand({
  path: ['app', 'metrics'],
  summary: 'Show the metrics or the traffic of an app',
  description: 'Some twenty moments of the window; with --json all of them, and both together.',
  arguments: { app: APP },
  options: { window: WINDOW, traffic: { short: 't', description: 'requests, errors and times instead' } },
  examples: [
    { line: 'davit app metrics shop/production/web -w 24h', does: 'the last day' },
    { line: 'davit app metrics shop/production/web --traffic', does: 'requests of the last hour' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const metrics = await (await client()).getAppMetrics({ params, query: { window: options.window ?? '1h' } });
    if (out.isJson) return out.json(metrics);
    if (!options.traffic) return out.list(shownSamples(metrics.samples), usageList);
    out.list(shownSamples(metrics.traffic.samples), trafficList);
    if (metrics.traffic.samples.some(({ sampled }) => sampled)) {
      out.note('Above 2,000 requests a second shares, times and bytes are of a part, drawn by chance.', 'dim');
    }
  },
});
