import { answersOf, INPUT, INPUT_FILE } from '../../arguments/template-inputs.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { INSTALL, installOf } from './arguments.ts';
import { plannedOrDone, SHA256 } from './outcome.ts';
import { readTemplate } from './source.ts';

export const command = defineCommand({
  path: ['template', 'update'],
  summary: 'Update an installation to another template release',
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
    {
      line: 'davit template update 4 --file template.yaml --dry-run',
      does: 'what a file changes of one that came from one',
    },
  ],
  async run(context) {
    const { client, args, options, world } = context;
    const params = installOf(args.install);
    const release = options.release === undefined ? {} : { release: options.release };
    const api = await client();
    const body = {
      ...release,
      ...(options.file !== undefined && { file: await readTemplate(options.file, world.cwd) }),
      inputs: await answersOf(options, context),
      remove: !options.keepRemoved,
      ...(options.sha256 !== undefined && { sha256: options.sha256 }),
      keep_failed: options.keepFailed,
    };
    const query = options.dryRun ? { dry_run: 'true' as const } : {};
    const answer = await api.updateTemplateInstall({ params, query, body });
    const sentence = `Installation ${args.install} is updated.`;
    await plannedOrDone(context, answer, { noWait: options.noWait, sentence });
  },
});
