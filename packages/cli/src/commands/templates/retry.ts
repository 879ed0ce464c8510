import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'retry'],
  summary: 'Retry a failed installation',
  description:
    'Starts the failed installation again with the same inputs. If the installation kept its resources (--keep-failed), Davit continues with them. Required role: admin.',
  arguments: { install: INSTALL },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit template retry 3', does: 'Retry installation 3' }],
  async run(context) {
    const { client, args, options } = context;
    const task = await (await client()).retryTemplateInstall({ params: installOf(args.install) });
    await startedTask(context, task, {
      noWait: options.noWait,
      sentence: `Installation ${args.install} succeeded.`,
    });
  },
});
