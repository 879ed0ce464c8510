import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'uninstall'],
  summary: 'Uninstall a template',
  description: 'Its data is kept, and a later install can adopt it, unless --delete-data says otherwise. Admins only.',
  arguments: { install: INSTALL },
  options: { deleteData: { description: 'its databases and volumes go to the trash too' }, noWait: NO_WAIT },
  examples: [
    { line: 'davit template uninstall 3', does: 'asks first; the data stays' },
    { line: 'davit template uninstall 3 --delete-data', does: 'with its data' },
  ],
  async run(context) {
    const { client, ask, globals, args, options } = context;
    const params = installOf(args.install);
    const api = await client();
    const { title, project, environment } = await api.getTemplateInstall({ params });
    const name = `${project}/${environment}`;
    const what = `This removes ${title} from ${name}${options.deleteData ? ', with its data' : ' and keeps its data'}`;
    await confirm({ what, name }, { ask, yes: globals.yes });
    const body = options.deleteData ? { keep_data: false, confirm: name } : {};
    const task = await api.uninstallTemplate({ params, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `${title} is removed from ${name}.` });
  },
});
