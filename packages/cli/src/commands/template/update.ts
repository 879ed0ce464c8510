import { defineCommand } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { NO_WAIT } from '../../started-deployment.ts';
import { startedTask } from '../../started-task.ts';
import { answersOf, INPUT, INPUT_FILE } from '../../template-answers.ts';
import { INSTALL, installOf } from '../../template-argument.ts';
import { SHA256 } from '../../template-run.ts';
import { readTemplate } from '../../template-source.ts';
import { planFields } from '../../views/template.ts';

export const command = defineCommand({
  path: ['template', 'update'],
  summary: 'Bring an installation to another release',
  description: 'What fails is brought back to the release before. Data stays in any case. Admins only.',
  arguments: { install: INSTALL },
  options: {
    release: { value: 'tag', description: 'absent: the newest' },
    input: INPUT,
    inputFile: INPUT_FILE,
    file: { value: 'file', description: 'of one that came from a file: the template that takes its place' },
    keepRemoved: { description: 'leave what the release does not have any more' },
    keepFailed: { description: 'leave things as they are when it fails, instead of going back' },
    sha256: SHA256,
    dryRun: { description: 'show what it would change, and change nothing' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit template update 3 --dry-run', does: 'what the newest release changes' },
    { line: 'davit template update 3', does: 'does it' },
  ],
  async run(context) {
    const { client, out, args, options, world } = context;
    const params = installOf(args.install);
    const release = options.release === undefined ? {} : { release: options.release };
    const api = await client();
    if (options.dryRun) {
      if (options.file !== undefined) throw new CliError('usage', 'What a file would change cannot be shown before.');
      const preview = await api.previewTemplateUpdate({
        params,
        query: { ...release, ...(options.keepRemoved && { remove: 'false' as const }) },
      });
      out.record(preview, planFields(preview), '');
      if (!preview.fits) throw new CliError('conflict', 'It cannot be updated to that.');
      return;
    }
    const body = {
      ...release,
      ...(options.file !== undefined && { file: await readTemplate(options.file, world.cwd) }),
      inputs: await answersOf(options, context),
      remove: !options.keepRemoved,
      ...(options.sha256 !== undefined && { sha256: options.sha256 }),
      keep_failed: options.keepFailed,
    };
    const task = await api.updateTemplateInstall({ params, body });
    await startedTask(context, task, { noWait: options.noWait, sentence: `Installation ${args.install} is updated.` });
  },
});
