import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'expose'],
  summary: 'Expose a managed object store on a port of the server, or stop exposing it',
  description:
    'Clients outside the server can connect to the port, without TLS. Presigned URLs use this port. Davit restarts the object store. Required role: admin.',
  arguments: { store: STORE },
  options: {
    port: { short: 'p', value: 'port', description: 'port of the server (default: a free port)' },
    off: { description: 'stop exposing the object store' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit store expose files', does: 'Expose an object store on a free port' },
    { line: 'davit store expose files --off', does: 'Stop exposing an object store' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = { store: args.store };
    const api = await client();
    const body = options.port === undefined ? {} : { port: wholeNumber(options.port, 'port') };
    const task = options.off ? await api.unexposeStore({ params }) : await api.exposeStore({ params, body });
    const sentence = options.off
      ? `${args.store} is no longer exposed. Only apps in the same environment can connect.`
      : `Exposed ${args.store}. Show the address: davit store get ${args.store}`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
