import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'rollback'],
  summary: 'Roll back an installation to the previous template release',
  description: 'The rollback keeps the current data in databases, volumes and object stores. Required role: admin.',
  arguments: { install: INSTALL },
  options: {
    keepFailed: { description: 'keep the changes if the command fails (default: restore the previous state)' },
    noWait: NO_WAIT,
  },
  examples: [{ line: 'davit template rollback 3', does: 'Undo the last update of installation 3' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).rollbackTemplateInstall({
      params: installOf(args.install),
      body: { keep_failed: options.keepFailed },
    });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Rolled back installation ${args.install} to the previous release.`,
    });
  },
});
