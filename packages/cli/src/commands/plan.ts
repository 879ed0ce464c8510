import { appOf } from '../arguments/app.ts';
import { loadDavitFile } from '../davit-yaml/load.ts';
import { defineCommand } from '../declaration/command.ts';
import { EXIT } from '../errors/exit.ts';
import { observe } from '../plan/observe.ts';
import { differs, plan } from '../plan/plan.ts';
import { changeStyle, changeText } from '../plan/show.ts';
import { plannedSteps } from '../plan/steps.ts';
import { valuesOf } from '../plan/values.ts';

export const command = defineCommand({
  path: ['plan'],
  summary: 'Show the changes that `davit up` would make',
  description:
    'Compares davit.yaml with the instance and changes nothing: + is made, ~ becomes another, - goes back to its default, = is not in the file and stays. Then the steps of the deployment, as far as the instance can say before there is a new image.',
  options: {
    file: { short: 'f', value: 'file', description: 'the davit.yaml; absent: the one of this folder, or above it' },
    exitCode: { description: 'end with 10 when there are changes' },
  },
  examples: [
    { line: 'davit plan', does: 'the differences, line by line' },
    { line: 'davit plan --exit-code || echo differs', does: 'for scripts' },
  ],
  async run(ctx) {
    const { out, options } = ctx;
    const { file } = await loadDavitFile(ctx, options.file);
    const values = valuesOf(file, ctx.env);
    const client = await ctx.client();
    const params = await appOf(file.app, ctx);
    const observed = await observe(client, params);
    const planned = plan(file, values, observed);
    const steps = await plannedSteps(client, params, file, observed);
    const { changes, missing } = planned;
    const { app } = file;
    const isChanged = differs(planned);
    if (out.isJson) out.json({ app, changes, missing, steps });
    else {
      for (const change of changes) out.line(changeText(change), changeStyle(change));
      for (const name of missing) out.line(`! ${name} is not set yet: nothing is deployed before it is`, 'red');
      if (!isChanged) out.line(`${app} is as the file says.`);
      if (observed.app?.pending_changes) out.line('Saved before, and not deployed yet: settings or variables.');
      if (steps.length > 0) out.line('A deployment would:', 'dim');
      for (const { describe } of steps) out.line(`  ${describe}`, 'dim');
    }
    return options.exitCode && isChanged ? EXIT.changes.code : EXIT.ok.code;
  },
});
