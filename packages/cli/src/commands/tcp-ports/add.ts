import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['tcp-port', 'add'],
  summary: 'Publish a TCP port of an app on the server',
  description:
    'Use a TCP port for protocols other than HTTP. Everyone who can reach the server can connect to the port. The change takes effect with the next deployment. An app with a TCP port can have only one replica. Required role: admin.',
  arguments: { app: APP_FIRST, port: { description: 'port that the app listens on' } },
  options: { hostPort: { value: 'port', description: 'port of the server (default: the first free port from 17000)' } },
  examples: [{ line: 'davit tcp-port add shop/production/db 5432', does: 'Publish port 5432 of an app' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = {
      container_port: wholeNumber(args.port, 'port'),
      ...(options.hostPort !== undefined && { host_port: wholeNumber(options.hostPort, 'port') }),
    };
    const port = await (await client()).addTcpPort({ params, body });
    out.done(
      port,
      `Added port ${port.host_port} of the server. The change takes effect with the next deployment.`,
      port.id,
    );
  },
});
