import { APP, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['tcp-port', 'list'],
  summary: 'List the published TCP ports of an app',
  arguments: { app: APP },
  examples: [{ line: 'davit tcp-port list shop/production/db', does: 'past the proxy' }],
  async run(context) {
    const params = await appOf(context.args.app, context);
    context.out.list(await (await context.client()).listTcpPorts({ params }), {
      columns: [
        { header: 'number', value: ({ id }) => id, align: 'right', style: () => 'bold' },
        { header: 'machine', value: ({ host_port }) => host_port, align: 'right' },
        { header: 'app', value: ({ container_port }) => container_port, align: 'right' },
      ],
      id: ({ id }) => id,
      empty: 'No port of the machine leads to the app.',
    });
  },
});
