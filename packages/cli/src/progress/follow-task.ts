/** Waits until a background task ends. Prints its steps. After Ctrl-C, the task continues on the instance. */
import { type Client, helpPath, type Task, taskStepWords } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { safeLine, safeLogLine } from '../output/safe-text.ts';
import { statusWord } from '../output/words.ts';
import { AWAY } from './away.ts';
import { helpAddress } from './help-address.ts';
import { LiveView } from './live-view.ts';
import { ShownSteps } from './shown-steps.ts';
import { stepsOf, withEvent } from './steps.ts';
import { untilEnded } from './until-ended.ts';

/** Number of log lines that the CLI prints after a background task has failed. */
const SHOWN_LOG_LINES = 20;

/**
 * Waits until a background task ends, and returns the task.
 * @throws CliError with exit `task_failed` if the task fails
 * @throws CliError with exit `interrupted` after Ctrl-C
 */
export async function followTask(ctx: Context, task: Task): Promise<Task> {
  using view = await LiveView.open(ctx);
  try {
    const ended = await toItsEnd(ctx, view, task);
    if (ended.status === 'succeeded') return ended;
    throw await failed(ctx, ended);
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    const message = `Task ${task.id} continues in the background. Follow it: davit task follow ${task.id}. Cancel it: davit task cancel ${task.id}`;
    throw new CliError('interrupted', message);
  }
}

async function toItsEnd(ctx: Context, view: LiveView, task: Task): Promise<Task> {
  const client = await ctx.client();
  view.line(`Task ${task.id}, ${safeLine(task.kind)} of ${safeLine(task.subject.name)}`);
  const shown = new ShownSteps(view, taskStepWords(task.kind));
  shown.show(stepsOf(task, null));
  const printingEnd = new AbortController();
  const printing = printSteps(ctx, client, {
    id: task.id,
    shown,
    view,
    signal: AbortSignal.any([ctx.signal, printingEnd.signal]),
  });
  try {
    const ended = await untilEnded(client, task.id, ctx.signal);
    // The API response contains all steps of the task, but the event stream may have missed some steps.
    shown.show(stepsOf(ended, shown.steps.position));
    return ended;
  } finally {
    printingEnd.abort();
    await printing;
    shown.end();
  }
}

interface PrintOptions {
  id: number;
  shown: ShownSteps;
  view: LiveView;
  signal: AbortSignal;
}

/**
 * Prints the steps of a background task. If the event stream fails, only prints a note, because another request waits
 * for the end of the task.
 */
async function printSteps(ctx: Context, client: Client, { id, shown, view, signal }: PrintOptions): Promise<void> {
  const onFailure = (error: unknown) => {
    if (!signal.aborted) ctx.out.note(`The steps cannot be shown: ${(error as Error).message}`);
  };
  try {
    const query = { kinds: 'task' };
    // The event stream contains only new steps. Therefore, the CLI requests the earlier steps from the API.
    const fromRecord = async (position: number) => {
      const task = await client.getTask({ params: { task: String(id) }, signal });
      if (shown.steps.position === null) shown.show(stepsOf(task, position));
    };
    const hears = {
      onAway: () => view.line(AWAY),
      onPosition: (at: string) => void fromRecord(Number(at)).catch(onFailure),
    };
    for await (const { event, data } of client.live.followEvents({ query, signal, ...hears })) {
      if (event !== 'task' || data.id !== id) continue;
      if (shown.steps.position === null) await fromRecord(data.seq);
      else shown.show(withEvent(shown.steps, data));
    }
  } catch (error) {
    onFailure(error);
  }
}

async function failed(ctx: Context, { id, kind, status, error, error_code, log = [] }: Task): Promise<CliError> {
  const { out } = ctx;
  if (!out.isJson && log.length > 0) {
    out.explain('Log of the task:');
    for (const line of log.slice(-SHOWN_LOG_LINES)) out.explain(`  │ ${safeLogLine(line, false)}`);
  }
  const why = error === null ? '' : `: ${error}`;
  return new CliError('task_failed', `Task ${id}, ${kind}, ${statusWord(status)}${why}`, {
    help: await helpAddress(ctx, helpPath(error_code)),
  });
}
