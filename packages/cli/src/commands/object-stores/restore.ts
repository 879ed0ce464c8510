import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { OBJECT_STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['object-store', 'restore'],
  summary: 'Restore an object store from the trash',
  arguments: { object_store: OBJECT_STORE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit object-store restore files', does: 'Restore an object store with its objects' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).restoreObjectStore({ params: { object_store: args.object_store } });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Restored object store ${args.object_store}.`,
    });
  },
});
