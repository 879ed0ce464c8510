import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['tcp-port', 'list'],
  summary: 'List the published TCP ports of an app',
  arguments: { app: APP },
  examples: [{ line: 'davit tcp-port list shop/production/db', does: 'List the TCP ports of an app' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    context.out.list(await (await context.client()).listTcpPorts({ params }), {
      columns: [
        { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'bold' },
        { header: 'server port', value: ({ host_port }) => host_port, align: 'right' },
        { header: 'app port', value: ({ container_port }) => container_port, align: 'right' },
      ],
      id: ({ id }) => id,
      empty: 'The app has no TCP ports.',
    });
  },
});
