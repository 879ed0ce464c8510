import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['tcp-port', 'remove'],
  summary: 'Remove a published TCP port from an app',
  description: 'The TCP port stays published until the next deployment of the app. Required role: admin.',
  arguments: { app: APP_FIRST, id: { description: 'ID of the TCP port (see `davit tcp-port list`)' } },
  examples: [{ line: 'davit tcp-port remove shop/production/db 1', does: 'Remove a TCP port after confirmation' }],
  async run(context) {
    const { client, out, ask: prompter, globals, args } = context;
    const params = { ...(await appOf(args.app, context)), tcp_port: args.id };
    const api = await client();
    const { host_port } = await api.getTcpPort({ params });
    const what = `This removes the public TCP port ${host_port} from the app`;
    await confirm({ what, name: String(host_port) }, { ask: prompter, yes: globals.yes });
    await api.removeTcpPort({ params });
    out.done(null, `Removed port ${host_port}. The change takes effect with the next deployment.`);
  },
});
