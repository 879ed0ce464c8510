import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { STORE } from './arguments.ts';

export const command = defineCommand({
  path: ['store', 'restore'],
  summary: 'Restore an object store from the trash',
  arguments: { store: STORE },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit store restore files', does: 'Restore an object store with its objects' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).restoreStore({ params: { store: args.store } });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Restored object store ${args.store}.` });
  },
});
