import { appOf } from '../arguments/app.ts';
import { loadDavitFile } from '../davit-yaml/load.ts';
import { defineCommand } from '../declaration/command.ts';
import { EXIT } from '../errors/exit.ts';
import { observe } from '../plan/observe.ts';
import { differs, plan } from '../plan/plan.ts';
import { demandPossible } from '../plan/possible.ts';
import { changeStyle, changeText } from '../plan/show.ts';
import { plannedSteps } from '../plan/steps.ts';
import { valuesOf } from '../plan/values.ts';

export const command = defineCommand({
  path: ['plan'],
  summary: 'Show the changes that `davit up` would make',
  description:
    'Compares davit.yaml with the app on the instance, but changes nothing. Meaning of the symbols: + is created, ~ is changed, - is reset to the default, = is not in davit.yaml and stays unchanged. If the app already has a release, the command also shows the steps of the next deployment.',
  options: {
    file: {
      short: 'f',
      value: 'file',
      description: 'path of davit.yaml (default: davit.yaml in the current folder or a parent folder)',
    },
    exitCode: { description: 'exit with code 10 if there are changes' },
  },
  examples: [
    { line: 'davit plan', does: 'Show all changes that `davit up` would make' },
    { line: 'davit plan --exit-code || echo differs', does: 'In a script, use the exit code to detect changes' },
  ],
  async run(ctx) {
    const { out, options } = ctx;
    const { file } = await loadDavitFile(ctx, options.file);
    const values = valuesOf(file, ctx.env);
    const client = await ctx.client();
    const params = await appOf(file.app, ctx);
    const observed = await observe(client, params);
    const planned = plan(file, values, observed);
    demandPossible(file, planned, observed);
    const steps = await plannedSteps(client, params, { file, settings: planned.settings, observed });
    const { changes, missing } = planned;
    const { app } = file;
    const isChanged = differs(planned);
    if (out.isJson) out.json({ app, changes, missing, steps });
    else {
      for (const change of changes) out.line(changeText(change), changeStyle(change));
      for (const name of missing) out.line(`! ${name} is not set: davit up needs a value for this variable`, 'red');
      if (!isChanged) out.line(`No changes: ${app} matches davit.yaml.`);
      if (observed.app?.pending_changes) out.line('Some saved settings or variables are not deployed yet.');
      if (steps.length > 0) out.line('Steps of the deployment:', 'dim');
      for (const { describe } of steps) out.line(`  ${describe}`, 'dim');
    }
    return options.exitCode && isChanged ? EXIT.changes.code : EXIT.ok.code;
  },
});
