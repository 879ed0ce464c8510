import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'stop'],
  summary: 'Stop a managed object store',
  arguments: { store: STORE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit store stop files', does: 'Stop an object store' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).stopStore({ params: { store: args.store } });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Stopped object store ${args.store}.` });
  },
});
