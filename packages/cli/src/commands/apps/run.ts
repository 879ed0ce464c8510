import { APP_FIRST, appOf } from '../../arguments/app.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { runInApp } from '../../terminal/run-command.ts';
import { openShell } from '../../terminal/shell.ts';

export const command = defineCommand({
  path: ['app', 'run'],
  summary: 'Run a command once in a new container of an app',
  description:
    'In a new container of the live release, beside the instances that serve; with -it at a terminal, in an instance that runs. It ends with the command’s own exit code. Ctrl-C ends the command; with --detach it belongs to nobody. Arguments are on record: give secrets as variables.',
  arguments: { app: APP_FIRST, command: { description: 'after --: the program and its arguments', variadic: true } },
  options: {
    interactive: { short: 'i', description: 'at a terminal, together with -t' },
    tty: { short: 't', description: 'at a terminal, together with -i' },
    timeout: { value: 'seconds', description: 'after which it is ended; 600 unless given' },
    detach: { short: 'd', description: 'do not wait for it' },
  },
  examples: [
    { line: 'davit run shop/production/web -- bin/rails db:migrate', does: 'what it writes, as it writes it' },
    { line: 'davit run -it . -- bin/console', does: 'at a terminal' },
    { line: 'davit run . --detach -- bin/reindex', does: 'in the background' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const { interactive, tty, detach, timeout } = options;
    if (interactive !== tty) throw new CliError('usage', 'A terminal takes both -i and -t: say -it.');
    if (tty && (detach || timeout !== undefined)) {
      throw new CliError('usage', 'At a terminal there is no --detach and no --timeout: you are there to end it.');
    }
    const params = await appOf(args.app, context);
    if (tty) return openShell(context, params, { command: args.command, shell: undefined, instance: undefined });
    const timeoutS = timeout === undefined ? undefined : wholeNumber(timeout, 'number of seconds');
    if (!detach) return runInApp(context, params, { command: args.command, timeoutS });
    const body = { command: args.command, ...(timeoutS !== undefined && { timeout_s: timeoutS }) };
    const run = await (await client()).runInApp({ params, query: { detach: 'true' }, body });
    out.done(run, `Run ${run.id} of ${run.app} goes on: «davit runs get ${run.app} ${run.id}».`, run.id);
    return 0;
  },
});
