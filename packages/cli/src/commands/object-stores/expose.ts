import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'expose'],
  summary: 'Expose a managed object store on a port of the server, or stop exposing it',
  description:
    'Opens a port of the server, so that clients outside the server can connect to the object store without TLS. Presigned URLs use this port. Davit restarts the object store. Required role: admin.',
  arguments: { object_store: OBJECT_STORE },
  options: {
    port: { short: 'p', value: 'port', description: 'port of the server (default: a free port)' },
    off: { description: 'stop exposing the object store' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit object-store expose files', does: 'Expose an object store on a free port' },
    { line: 'davit object-store expose files --off', does: 'Stop exposing an object store' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = { object_store: args.object_store };
    const api = await client();
    const body = options.port === undefined ? {} : { port: wholeNumber(options.port, 'port') };
    const task = options.off
      ? await api.unexposeObjectStore({ params })
      : await api.exposeObjectStore({ params, body });
    const sentence = options.off
      ? `${args.object_store} is no longer exposed. Only apps in the same environment can connect.`
      : `Exposed ${args.object_store}. Show the address: davit object-store get ${args.object_store}`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
