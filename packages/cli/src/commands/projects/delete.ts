import { deletionPartsOf } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { safeLine } from '../../output/safe-text.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['project', 'delete'],
  summary: 'Delete a project with everything in it',
  description:
    'Shows what the project contains, and asks for its name. Deletes the apps, environments and variables. Moves databases, object stores and volumes to the trash. Keeps backups. Required role: admin.',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  options: { noWait: NO_WAIT },
  examples: [
    { line: 'davit project delete shop', does: 'Delete a project after confirmation' },
    { line: 'davit project delete shop --yes', does: 'Delete a project without confirmation' },
  ],
  async run(context) {
    const { client, out, ask: prompter, globals, args, options } = context;
    const params = { project: args.project };
    const api = await client();
    const deletion = await api.previewProjectDeletion({ params });
    const { project, checksum, problems } = deletion;
    const [problem] = problems;
    if (problem !== undefined) throw new CliError('conflict', problem);
    const lines = deletionPartsOf(deletion).flatMap((part) => [part.title, ...part.lines.map((line) => `  ${line}`)]);
    for (const line of lines) {
      /*
       * Without `--yes`, the list is printed even if `--quiet` is set, because the confirmation prompt refers to this
       * list.
       */
      if (globals.yes) out.note(line);
      else if (!out.isJson) out.explain(safeLine(line));
    }
    const what = `This deletes the project ${project} with everything in this list`;
    await confirm({ what, name: project }, { ask: prompter, yes: globals.yes });
    const task = await api.deleteProjectWithContents({ params, body: { confirm: project, checksum } });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Deleted project ${project}.` });
  },
});
