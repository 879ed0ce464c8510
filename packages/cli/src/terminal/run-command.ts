/**
 * Runs a command in a new container with the app's release. The output is shown as it is written, and its exit code
 * becomes the exit code of the CLI.
 */
import type { Run } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import type { Context } from '../declaration/context.ts';
import { CliError, EXIT } from '../errors/exit.ts';
import { hasColour } from '../output/paint.ts';
import { safeLogLine } from '../output/safe-text.ts';
import type { Output } from '../process/world.ts';

interface RunOptions {
  command: string[];
  timeoutS: number | undefined;
}

/** Exit code of a command that exceeded its timeout, as with `timeout`. */
const TIMED_OUT = 124;

/**
 * Runs the command.
 * @returns the exit code of the command
 * @throws DavitError
 * @throws CliError failed if the command did not end normally
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
  return run.timed_out ? TIMED_OUT : EXIT.failed.code;
}

/** Prints one line. Lines are made safe for a terminal, but are not changed in a pipe or file. */
function print({ world, env, globals, out }: Context, stream: 'stdout' | 'stderr', line: string): void {
  if (out.isJson) return;
  const output: Output = world[stream];
  const shown = output.isTTY ? safeLogLine(line, hasColour(output, env, globals.noColor)) : line;
  output.write(`${shown}\n`);
}
