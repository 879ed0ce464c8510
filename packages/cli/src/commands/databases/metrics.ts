import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { shownSamples, WINDOW } from '../../arguments/metrics-window.ts';
import { defineCommand } from '../../declaration/command.ts';
import { databaseUsageList } from '../../views/database.ts';

export const command = defineCommand({
  path: ['database', 'metrics'],
  summary: 'Show the metrics of a database',
  arguments: { database: DATABASE },
  options: { window: WINDOW },
  examples: [
    { line: 'davit database metrics shop/production/db -w 24h', does: 'Show the metrics of the last 24 hours' },
  ],
  async run({ client, out, args, options }) {
    const params = databaseOf(args.database);
    const metrics = await (await client()).getDatabaseMetrics({ params, query: { window: options.window ?? '1h' } });
    if (out.isJson) return out.json(metrics);
    out.list(shownSamples(metrics.samples), databaseUsageList);
  },
});
