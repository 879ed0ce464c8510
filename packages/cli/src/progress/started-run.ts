import { helpPath, type Run } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { helpAddress } from './help-address.ts';
import { untilDone } from './until-done.ts';

/**
 * Waits until a command run ends, and prints the output. If `--no-wait` is set, only prints the command that shows the
 * run.
 * @param params app to which the run belongs
 * @throws CliError with exit `failed` if the command does not succeed
 */
export async function startedRun(
  context: Context,
  run: Run,
  { params, noWait }: { params: AppParams; noWait: boolean },
): Promise<void> {
  const { out, client: connect } = context;
  const app = referenceOf(params);
  const left = `Run ${run.id} of ${app} continues in the background. Show it: davit runs get ${app} ${run.id}`;
  if (noWait) return out.done(run, left, run.id);
  const client = await connect();
  const ended = await untilDone(context, {
    events: { kinds: 'app', app },
    read: (signal) => client.getRun({ params: { ...params, run: String(run.id) }, signal }),
    isDone: ({ status }) => status !== 'running',
    left,
  });
  if (ended.output && !out.isJson && !out.isQuiet) out.text(`${ended.output.replace(/\n$/, '')}\n`);
  if (ended.status !== 'succeeded') throw await failed(context, ended);
  out.done(ended, `Run ${ended.id} of ${app} succeeded.`, ended.id);
}

async function failed(context: Context, { id, app, error, error_code, exit_code: code }: Run): Promise<CliError> {
  const why = error ?? (code === null ? '' : `The exit code of the command is ${code}.`);
  return new CliError('failed', `Run ${id} of ${app} did not succeed. ${why}`.trimEnd(), {
    help: await helpAddress(context, helpPath(error_code)),
  });
}
