import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'stop'],
  summary: 'Stop a managed object store',
  arguments: { object_store: OBJECT_STORE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit object-store stop files', does: 'Stop an object store' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).stopObjectStore({ params: { object_store: args.object_store } });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Stopped object store ${args.object_store}.`,
    });
  },
});
