import { answersOf, INPUT, INPUT_FILE } from '../../arguments/template-inputs.ts';
import { defineCommand } from '../../declaration/command.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { confirmRemovals } from '../../up/confirm-removals.ts';
import { INSTALL, installOf } from './arguments.ts';
import { plannedOrDone, SHA256 } from './outcome.ts';
import { readTemplate } from './source.ts';

export const command = defineCommand({
  path: ['template', 'update'],
  summary: 'Update an installed template to another release',
  description:
    'If the update fails, Davit restores the previous state, unless you use --keep-failed. Data is never removed. Davit removes an app that is not in the new release only after you confirm the removal. Required role: admin.',
  arguments: { install: INSTALL },
  options: {
    release: { value: 'tag', description: 'template release to update to (default: the newest)' },
    input: INPUT,
    inputFile: INPUT_FILE,
    file: { value: 'file', description: 'path of the new template file, if you installed the template from a file' },
    remove: {
      value: 'app',
      repeatable: true,
      description:
        'confirm that the update removes this app, because the new release does not contain it; without a terminal, also add --yes',
    },
    keepRemoved: { description: 'keep apps that are not in the new release' },
    keepFailed: { description: 'keep the changes if the command fails (default: restore the previous state)' },
    adoptVolumes: {
      description: 'reuse unused volumes of earlier apps that had the same names as the new apps',
    },
    sha256: SHA256,
    dryRun: { description: 'show the plan without making changes' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit template update 3 --dry-run', does: 'Show what an update to the newest release would change' },
    { line: 'davit template update 3', does: 'Update an installation to the newest release' },
    {
      line: 'davit template update 4 --file template.yaml --dry-run',
      does: 'Show what an update to a new template file would change',
    },
  ],
  async run(context) {
    const { client, args, options, world: runtime } = context;
    const params = installOf(args.install);
    const release = options.release === undefined ? {} : { release: options.release };
    const api = await client();
    const body = {
      ...release,
      ...(options.file !== undefined && { file: await readTemplate(options.file, runtime.cwd) }),
      inputs: await answersOf(options, context),
      keep_removed: options.keepRemoved,
      ...(options.sha256 !== undefined && { sha256: options.sha256 }),
      keep_failed: options.keepFailed,
      adopt: { volumes: options.adoptVolumes },
    };
    const preview = await api.updateTemplateInstall({ params, query: { dry_run: 'true' }, body });
    const sentence = `Updated installation ${args.install}.`;
    const how = { noWait: options.noWait, sentence };
    if (options.dryRun || !('changes' in preview)) return plannedOrDone(context, preview, how);
    const install = await api.getTemplateInstall({ params });
    const source = options.file === undefined ? 'new release' : 'new template file';
    /*
     * If the update has other problems, the user need not confirm anything, because the instance will refuse the
     * update.
     */
    const isPossible = preview.fits && preview.problems.length === 0;
    const remove = isPossible
      ? await confirmRemovals(context, preview, { install, confirmed: options.remove, source })
      : [];
    // With the checksum, the instance refuses the update if the release has changed since the preview.
    const task = await api.updateTemplateInstall({ params, body: { sha256: preview.sha256, ...body, remove } });
    await plannedOrDone(context, task, how);
  },
});
