import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'uninstall'],
  summary: 'Uninstall a template',
  description:
    'Keeps databases and volumes, so that a later installation can use the data. With --delete-data, databases and volumes move to the trash. Required role: admin.',
  arguments: { install: INSTALL },
  options: { deleteData: { description: 'move databases and volumes to the trash' }, noWait: NO_WAIT },
  examples: [
    { line: 'davit template uninstall 3', does: 'Uninstall a template, but keep its data' },
    { line: 'davit template uninstall 3 --delete-data', does: 'Uninstall a template and move its data to the trash' },
  ],
  async run(context) {
    const { client, ask: prompter, globals, args, options } = context;
    const params = installOf(args.install);
    const api = await client();
    const { title, project, environment } = await api.getTemplateInstall({ params });
    const name = `${project}/${environment}`;
    const what = `This removes ${title} from ${name}${options.deleteData ? ', with its data' : ' and keeps its data'}`;
    await confirm({ what, name }, { ask: prompter, yes: globals.yes });
    const body = options.deleteData ? { keep_data: false, confirm: name } : {};
    const task = await api.uninstallTemplate({ params, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Removed ${title} from ${name}.` });
  },
});
