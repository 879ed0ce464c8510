import { APP, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  path: ['domain', 'list'],
  summary: 'List an app’s own domains',
  arguments: { app: APP },
  examples: [{ line: 'davit domain list shop/production/web', does: 'besides its default host' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    context.out.list(await (await context.client()).listDomains({ params }), {
      columns: [
        { header: 'host', value: ({ host }) => host, style: () => 'bold' },
        { header: 'port', value: ({ port }) => port ?? 'the app’s', align: 'right' },
        { header: 'protocol', value: ({ protocol }) => protocol },
      ],
      id: ({ host }) => host,
      empty: 'The app has its default host alone: give it a domain with «davit domain add».',
    });
  },
});
