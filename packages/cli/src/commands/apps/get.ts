import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { appFields } from '../../views/app.ts';

export const command = defineCommand({
  path: ['app', 'get'],
  summary: 'Show an app',
  arguments: { app: APP },
  examples: [
    { line: 'davit app get shop/production/web', does: 'Show the status, hosts, replicas and settings of an app' },
    { line: 'davit app get --json', does: 'Show the app in davit.yaml as JSON' },
  ],
  async run(context) {
    const params = await appOf(context.args.app, context);
    const app = await (await context.client()).getApp({ params });
    context.out.record(app, appFields(app), app.reference);
  },
});
