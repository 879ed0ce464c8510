import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { domainList } from '../../views/domain.ts';

export const command = defineCommand({
  path: ['domain', 'list'],
  summary: 'List the domains of an app',
  arguments: { app: APP },
  examples: [{ line: 'davit domain list shop/production/web', does: 'List the domains of an app' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    context.out.list(await (await context.client()).listDomains({ params }), domainList);
  },
});
