import { APP, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { domainList } from '../../views/domain.ts';

export const command = defineCommand({
  path: ['domain', 'list'],
  summary: 'List an app’s own domains',
  arguments: { app: APP },
  examples: [{ line: 'davit domain list shop/production/web', does: 'besides its default host' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    context.out.list(await (await context.client()).listDomains({ params }), domainList);
  },
});
