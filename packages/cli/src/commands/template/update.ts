import { defineCommand } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { NO_WAIT } from '../../started-deployment.ts';
import { startedTask } from '../../started-task.ts';
import { answersOf, INPUT, INSTALL, installOf } from '../../template-argument.ts';
import { planFields } from '../../views/template.ts';

export const command = defineCommand({
  path: ['template', 'update'],
  summary: 'Bring an installation to another release',
  description: 'What fails is brought back to the release before. Data stays in any case. Admins only.',
  arguments: { install: INSTALL },
  options: {
    release: { value: 'tag', description: 'absent: the newest' },
    input: INPUT,
    keepRemoved: { description: 'leave what the release does not have any more' },
    dryRun: { description: 'show what it would change, and change nothing' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit template update 3 --dry-run', does: 'what the newest release changes' },
    { line: 'davit template update 3', does: 'does it' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = installOf(args.install);
    const release = options.release === undefined ? {} : { release: options.release };
    const api = await client();
    if (options.dryRun) {
      const preview = await api.previewTemplateUpdate({ params, query: release });
      out.record(preview, planFields(preview), '');
      if (!preview.fits) throw new CliError('conflict', 'It cannot be updated to that.');
      return;
    }
    const body = { ...release, inputs: answersOf(options.input), remove: !options.keepRemoved };
    const task = await api.updateTemplateInstall({ params, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Installation ${args.install} is updated.` });
  },
});
