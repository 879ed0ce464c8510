/**
 * Runs a command in a new container with an app's live release. Prints the output of the command. The CLI ends with the
 * exit code of the command.
 */
import type { Run } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import type { Context } from '../declaration/context.ts';
import { CliError, EXIT } from '../errors/exit.ts';
import { hasColour } from '../output/paint.ts';
import { safeLogLine } from '../output/safe-text.ts';
import type { Output } from '../process/runtime.ts';

interface RunOptions {
  command: string[];
  timeoutS: number | undefined;
}

/**
 * Runs a command in a new container of an app, and returns the exit code.
 * @throws DavitError
 * @throws CliError with exit `interrupted` (Ctrl-C) or `failed` (output lost)
 */
export async function runInApp(ctx: Context, params: AppParams, { command, timeoutS }: RunOptions): Promise<number> {
  const client = await ctx.client();
  const body = { command, ...(timeoutS !== undefined && { timeout_s: timeoutS }) };
  const query = { follow: 'true' as const };
  try {
    for await (const { event, data } of client.live.runInApp({ params, query, body, signal: ctx.signal })) {
      if (event === 'log') for (const { stream, line } of data.lines) print(ctx, stream, line);
      else if (event === 'run') return ended(ctx, data);
    }
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    throw new CliError('interrupted', 'Interrupted. The command was stopped.');
  }
  throw new CliError(
    'failed',
    `The output of the command is no longer available, but the command continues. Show the result: davit runs list ${referenceOf(params)}`,
  );
}

function ended({ out }: Context, run: Run): number {
  if (out.isJson) out.json(run);
  if (run.exit_code !== null) return run.exit_code;
  if (run.error !== null) out.note(run.error, 'red');
  return (run.timed_out ? EXIT.timed_out : EXIT.failed).code;
}

/**
 * Prints an output line of the remote command. Control characters are removed only if the output is a terminal and not
 * a pipe or a file.
 */
function print({ world: runtime, env, globals, out }: Context, stream: 'stdout' | 'stderr', line: string): void {
  if (out.isJson) return;
  const output: Output = runtime[stream];
  const shown = output.isTTY ? safeLogLine(line, hasColour(output, env, globals.noColor)) : line;
  output.write(`${shown}\n`);
}
