import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'start'],
  summary: 'Start a managed object store',
  arguments: { object_store: OBJECT_STORE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit object-store start files', does: 'Start an object store' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).startObjectStore({ params: { object_store: args.object_store } });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Started object store ${args.object_store}.`,
    });
  },
});
