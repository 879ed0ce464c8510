import { APP, appOf } from '../../arguments/app.ts';
import { shownSamples, WINDOW } from '../../arguments/metrics-window.ts';
import { defineCommand } from '../../declaration/command.ts';
import { trafficList, usageList } from '../../views/metric.ts';

export const command = defineCommand({
  path: ['app', 'metrics'],
  summary: 'Show the metrics or the traffic of an app',
  description:
    'Shows at most 20 data points, at equal intervals in the time range. To get all data points of both the metrics and the traffic, use --json.',
  arguments: { app: APP },
  options: {
    window: WINDOW,
    traffic: { short: 't', description: 'show requests, errors and response times instead of CPU and memory' },
  },
  examples: [
    { line: 'davit app metrics shop/production/web -w 24h', does: 'Show the metrics of the last 24 hours' },
    { line: 'davit app metrics shop/production/web --traffic', does: 'Show the traffic of the last hour' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const metrics = await (await client()).getAppMetrics({ params, query: { window: options.window ?? '1h' } });
    if (out.isJson) return out.json(metrics);
    if (!options.traffic) return out.list(shownSamples(metrics.samples), usageList);
    out.list(shownSamples(metrics.traffic.samples), trafficList);
    if (metrics.traffic.samples.some(({ sampled }) => sampled)) {
      out.note(
        'Above 2,000 requests per second, Davit estimates these values from a random sample: percentages, response times and bytes.',
        'dim',
      );
    }
  },
});
