import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['tcp-port', 'remove'],
  summary: 'Remove a published TCP port from an app',
  description: 'What runs keeps it until the next deploy. Admins only.',
  arguments: { app: APP_FIRST, number: { description: 'as the list shows it; not the port' } },
  examples: [{ line: 'davit tcp-port remove shop/production/db 1', does: 'asks for the machine’s port first' }],
  async run(context) {
    const { client, out, ask, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), tcp_port: args.number };
    const api = await client();
    const { host_port } = await api.getTcpPort({ params });
    const what = `Port ${host_port} of the machine will not lead to the app any more`;
    await confirm({ what, name: String(host_port) }, { ask, yes: globals.yes });
    await api.removeTcpPort({ params });
    out.done(null, `Port ${host_port} is the app’s until its next deploy.`);
  },
});
