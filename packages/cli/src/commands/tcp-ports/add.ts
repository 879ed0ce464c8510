import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['tcp-port', 'add'],
  summary: 'Publish a TCP port of an app on the server',
  description:
    'For what is not HTTP: it is open to whoever reaches the machine. Takes effect with the next deploy; the app then runs one instance. Admins only.',
  arguments: { app: APP_FIRST, port: { description: 'what the app listens on' } },
  options: { hostPort: { value: 'port', description: 'the machine’s; absent: the first free one from 17000' } },
  examples: [{ line: 'davit tcp-port add shop/production/db 5432', does: 'a database, for a client elsewhere' }],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = {
      container_port: wholeNumber(args.port, 'port'),
      ...(options.hostPort !== undefined && { host_port: wholeNumber(options.hostPort, 'port') }),
    };
    const port = await (await client()).addTcpPort({ params, body });
    out.done(port, `Port ${port.host_port} of the machine leads to the app from the next deploy on.`, port.id);
  },
});
