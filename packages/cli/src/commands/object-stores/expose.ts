import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'expose'],
  summary: 'Expose a managed object store on a port of the server, or stop exposing it',
  description:
    'A port of the machine leads to it, without TLS; presigned addresses lead there. It is started again for it. Admins only.',
  arguments: { store: STORE },
  options: {
    port: { short: 'p', value: 'port', description: 'absent: a free one' },
    off: { description: 'take the port away' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit store expose files', does: 'on a free port; «davit store get files» has its address' },
    { line: 'davit store expose files --off', does: 'closes it' },
  ],
  async run(context) {
    const { client, args, options } = context;
    const params = { store: args.store };
    const api = await client();
    const body = options.port === undefined ? {} : { port: wholeNumber(options.port, 'port') };
    const task = options.off ? await api.unexposeStore({ params }) : await api.exposeStore({ params, body });
    const sentence = options.off
      ? `Only apps of its environment reach ${args.store} now.`
      : `The world reaches ${args.store}: «davit store get ${args.store}» says where.`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
