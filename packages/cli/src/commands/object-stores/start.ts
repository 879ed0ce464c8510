import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'start'],
  summary: 'Start a managed object store',
  arguments: { store: STORE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit store start files', does: 'Start an object store' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).startStore({ params: { store: args.store } });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Started object store ${args.store}.` });
  },
});
