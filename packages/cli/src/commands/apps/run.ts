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
    'Runs the command in a new container of the live release. With -it, opens a terminal in a running replica instead. The exit code of the command becomes the exit code of `davit run`. If the command exceeds its maximum duration, Davit stops it, and the exit code is 124. Ctrl-C stops the command, unless you use --detach. Davit stores the arguments of the command: pass secrets as variables.',
  arguments: { app: APP_FIRST, command: { description: 'program and its arguments, after `--`', variadic: true } },
  options: {
    interactive: { short: 'i', description: 'keep stdin open; use together with `-t`' },
    tty: { short: 't', description: 'open a terminal; use together with `-i`' },
    timeout: { value: 'seconds', description: 'maximum duration of the command in seconds (default: 600)' },
    detach: { short: 'd', description: 'run in the background' },
  },
  examples: [
    { line: 'davit run shop/production/web -- bin/rails db:migrate', does: 'Run a command and show its output' },
    { line: 'davit run -it . -- bin/console', does: 'Run an interactive command' },
    { line: 'davit run . --detach -- bin/reindex', does: 'Run a command in the background' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const { interactive, tty, detach, timeout } = options;
    if (interactive !== tty) throw new CliError('usage', 'A terminal needs both -i and -t: use -it.');
    if (tty && (detach || timeout !== undefined)) {
      throw new CliError('usage', '--detach and --timeout cannot be used with -it.');
    }
    const params = await appOf(args.app, context);
    if (tty) return openShell(context, params, { command: args.command, shell: undefined, replica: undefined });
    const timeoutS = timeout === undefined ? undefined : wholeNumber(timeout, 'number of seconds');
    if (!detach) return runInApp(context, params, { command: args.command, timeoutS });
    const body = { command: args.command, ...(timeoutS !== undefined && { timeout_s: timeoutS }) };
    const run = await (await client()).runInApp({ params, query: { detach: 'true' }, body });
    out.done(
      run,
      `Run ${run.id} of ${run.app} continues in the background. Show it: davit runs get ${run.app} ${run.id}`,
      run.id,
    );
    return 0;
  },
});
