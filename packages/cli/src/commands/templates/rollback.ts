import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'rollback'],
  summary: 'Roll back an installation to the previous template release',
  description: 'Its data stays as it is. Admins only.',
  arguments: { install: INSTALL },
  options: {
    keepFailed: { description: 'leave things as they are when it fails, instead of going back' },
    noWait: NO_WAIT,
  },
  examples: [{ line: 'davit template rollback 3', does: 'when an update was a mistake' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).rollbackTemplateInstall({
      params: installOf(args.install),
      body: { keep_failed: options.keepFailed },
    });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Installation ${args.install} is back at the release before.`,
    });
  },
});
