import { answersOf, INPUT, INPUT_FILE } from '../../arguments/template-inputs.ts';
import { pairsOf } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { templateOf } from './arguments.ts';
import { NAME, namesOf } from './names.ts';
import { plannedOrDone, SHA256 } from './outcome.ts';
import { readSource } from './source.ts';

export const command = defineCommand({
  path: ['template', 'install'],
  summary: 'Install a template',
  description:
    'Makes its databases, stores and apps, deploys them and follows that. What fails is removed again. Of the catalog, or from a file or a repository. Admins only.',
  arguments: {
    template: { description: 'owner/name in the catalog, the address of a repository, or a file: ./template.yaml' },
  },
  options: {
    input: INPUT,
    inputFile: INPUT_FILE,
    name: NAME,
    release: { value: 'tag', description: 'absent: the newest; of a repository a tag, branch or commit' },
    project: { short: 'p', value: 'project', description: 'absent: what it suggests' },
    environment: { short: 'e', value: 'environment', description: 'the same' },
    keepFailed: { description: 'leave what was made when it fails' },
    adopt: { value: 'key=database', repeatable: true, description: 'use a database that there is, with its data' },
    adoptVolumes: { description: 'use the volumes that apps of the same names left' },
    sha256: SHA256,
    dryRun: { description: 'show what it would do, and do nothing' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit template install acme/wiki -i domain=wiki.example.com', does: 'the newest release' },
    { line: 'davit template install ./template.yaml --project try --dry-run', does: 'what a file would do' },
  ],
  async run(context) {
    const { client, args, options, world } = context;
    const adopted = pairsOf(options.adopt, 'database to adopt');
    const body = {
      inputs: await answersOf(options, context),
      names: namesOf(options.name),
      keep_failed: options.keepFailed,
      adopt: { databases: adopted, volumes: options.adoptVolumes },
      ...(options.project !== undefined && { project: options.project }),
      ...(options.environment !== undefined && { environment: options.environment }),
      ...(options.sha256 !== undefined && { sha256: options.sha256 }),
    };
    const query = options.dryRun ? { dry_run: 'true' as const } : {};
    const source = await readSource(args.template, { ref: options.release, cwd: world.cwd });
    const api = await client();
    if (source !== null && 'file' in source && options.release !== undefined)
      throw new CliError('usage', 'A file has no releases: leave --release out.');
    const answer =
      source === null
        ? await api.installTemplate({
            params: templateOf(args.template),
            query,
            body: { ...body, ...(options.release !== undefined && { release: options.release }) },
          })
        : await api.installTemplateFile({ query, body: { ...body, source } });
    const sentence = 'It is installed: «davit template installed» shows what it made.';
    await plannedOrDone(context, answer, { noWait: options.noWait, sentence });
  },
});
