import { APP_FIRST, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { runToItsEnd } from '../../run-command.ts';
import { wholeNumber } from '../../values.ts';

export const command = defineCommand({
  path: ['app', 'run'],
  summary: 'Run a command once, with all that an app has',
  description:
    'In a new container of the live release, beside the instances that serve. It ends with the command’s own exit code. Ctrl-C ends the command; with --detach it belongs to nobody. Arguments are on record: give secrets as variables.',
  arguments: { app: APP_FIRST, command: { description: 'after --: the program and its arguments', variadic: true } },
  options: {
    timeout: { value: 'seconds', description: 'after which it is ended; 600 unless given' },
    detach: { short: 'd', description: 'do not wait for it' },
  },
  examples: [
    { line: 'davit run shop/production/web -- bin/rails db:migrate', does: 'what it writes, as it writes it' },
    { line: 'davit run . --detach -- bin/reindex', does: 'in the background' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const body = {
      command: args.command,
      ...(options.timeout !== undefined && { timeout_s: wholeNumber(options.timeout, 'number of seconds') }),
    };
    if (!options.detach) return runToItsEnd(context, params, body);
    const run = await (await client()).runCommand({ params, query: { detach: 'true' }, body });
    out.done(run, `Run ${run.id} of ${run.app} goes on: «davit runs get ${run.app} ${run.id}».`, run.id);
    return 0;
  },
});
