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
    'Creates the databases, object stores and apps of the template and deploys the apps. If the installation fails, everything that it created is removed, unless you use --keep-failed. The template can be in the catalog, in a file or in a Git repository. Required role: admin.',
  arguments: {
    template: {
      description:
        'owner/name of a template in the catalog, URL of a Git repository, or path of a file such as ./template.yaml',
    },
  },
  options: {
    input: INPUT,
    inputFile: INPUT_FILE,
    name: NAME,
    release: {
      value: 'tag',
      description:
        'release of the template (default: the newest release); for a Git repository, a tag, branch or commit',
    },
    project: { short: 'p', value: 'project', description: 'name of the project (default: suggested by the template)' },
    environment: {
      short: 'e',
      value: 'environment',
      description: 'name of the environment (default: suggested by the template)',
    },
    keepFailed: { description: 'keep all created resources if the installation fails' },
    adopt: {
      value: 'key=database',
      repeatable: true,
      description: 'existing database to use with its data, instead of a new database',
    },
    adoptVolumes: {
      description: 'reuse unused volumes of earlier apps that had the same names as the new apps',
    },
    sha256: SHA256,
    dryRun: { description: 'show the plan without making changes' },
    noWait: NO_WAIT,
  },
  examples: [
    {
      line: 'davit template install acme/wiki -i domain=wiki.example.com',
      does: 'Install the newest release of a template',
    },
    {
      line: 'davit template install ./template.yaml --project try --dry-run',
      does: 'Show what the installation of a template file would create',
    },
  ],
  async run(context) {
    const { client, args, options, world: runtime } = context;
    const adopted = pairsOf(options.adopt, 'existing database');
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
    const source = await readSource(args.template, { ref: options.release, cwd: runtime.cwd });
    const api = await client();
    if (source !== null && 'file' in source && options.release !== undefined)
      throw new CliError('usage', '--release cannot be used with a file.');
    const answer =
      source === null
        ? await api.installTemplate({
            params: templateOf(args.template),
            query,
            body: { ...body, ...(options.release !== undefined && { release: options.release }) },
          })
        : await api.installTemplateFile({ query, body: { ...body, source } });
    const sentence = 'Installed the template. For details, run `davit template installed`.';
    await plannedOrDone(context, answer, { noWait: options.noWait, sentence });
  },
});
