/**
 * Prints the log of an app and, if requested, new log lines. After a lost connection or a restart of the instance,
 * printing continues.
 */
import type { LogLines } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';
import type { Context } from '../declaration/context.ts';
import { CliError, EXIT } from '../errors/exit.ts';
import { hasColour } from '../output/paint.ts';
import { AWAY } from '../progress/away.ts';
import { type Line, shownLine } from './show-line.ts';

interface LogsOptions {
  follow: boolean;
  /** Start time of the log as an RFC 3339 timestamp. */
  since: string | undefined;
  until: string | undefined;
  search: string | undefined;
  replica: string | undefined;
  deployment: string | undefined;
  stream: 'stdout' | 'stderr' | undefined;
  tail: string | undefined;
  timestamps: boolean;
  /** Whether to print the colors of the app's output, if the terminal supports colors. */
  ansi: boolean;
}

/** Maximum number of log lines if the user sets a start time but no number of lines. */
const MOST_LINES = '10000';

/**
 * Prints the log of an app.
 * @returns the exit code
 * @throws DavitError if the API refuses the request
 */
export async function showLogs(ctx: Context, params: AppParams, options: LogsOptions): Promise<number> {
  const print = printerOf(ctx, options);
  const { follow, since, until } = options;
  if (!follow) {
    const answer = await readLines(ctx, params, options);
    if (ctx.out.isJson) ctx.out.json(answer);
    else for (const line of answer.lines) print(line);
    return EXIT.ok.code;
  }
  if (until !== undefined) throw new CliError('usage', '--until cannot be used with --follow.');
  const before = since === undefined ? [] : (await readLines(ctx, params, options)).lines;
  for (const line of before) print(line);
  return followLines(ctx, params, { options, print, after: before.at(-1)?.at ?? since ?? null });
}

async function readLines(ctx: Context, params: AppParams, options: LogsOptions): Promise<LogLines> {
  const { since, until, tail } = options;
  const times = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const count = tail ?? (since === undefined ? undefined : MOST_LINES);
  const query = {
    ...conditions(options),
    ...times,
    ...(count !== undefined && { tail: count }),
    format: 'json' as const,
  };
  const client = await ctx.client();
  // The type cast is safe, because the API returns JSON for `format=json`. The inferred type also includes plain text.
  return (await client.getAppLogs({ params, query, signal: ctx.signal })) as LogLines;
}

function conditions({ search, replica, deployment, stream }: LogsOptions) {
  return {
    ...(search !== undefined && { q: search }),
    ...(replica !== undefined && { replica }),
    ...(deployment !== undefined && { deployment }),
    ...(stream !== undefined && { stream }),
  };
}

interface Following {
  options: LogsOptions;
  print: (line: Line) => void;
  /** Only log lines after this timestamp are printed. If the timestamp is `null`, all log lines are printed. */
  after: string | null;
}

async function followLines(ctx: Context, params: AppParams, { options, print, after }: Following): Promise<number> {
  const { out, signal } = ctx;
  const client = await ctx.client();
  const query = { ...conditions(options), follow: 'true' as const, ...(options.tail && { tail: options.tail }) };
  try {
    for await (const { event, data } of client.live.getAppLogs({
      params,
      query,
      signal,
      onAway: () => out.note(AWAY),
    })) {
      if (event === 'reset' && data.reason === 'position_gone')
        out.note('Some lines are missing. The newest lines follow.', 'yellow');
      if (event !== 'log') continue;
      for (const line of data.lines) if (after === null || isLater(line.at, after)) print(line);
    }
    out.note('The app was deleted.');
    return EXIT.ok.code;
  } catch (error) {
    if (!signal.aborted) throw error;
    // Ctrl-C is the normal way to stop following a log, so no error is printed.
    return EXIT.interrupted.code;
  }
}

/** Compares two RFC 3339 timestamps including nanoseconds. A JavaScript `Date` would lose the nanoseconds. */
function isLater(at: string, after: string): boolean {
  const [a, b] = [Date.parse(at), Date.parse(after)];
  return a === b ? fraction(at) > fraction(after) : a > b;
}

function fraction(at: string): string {
  return (/\.(\d+)/.exec(at)?.[1] ?? '').padEnd(9, '0');
}

function printerOf({ out, world: runtime, env, globals }: Context, options: LogsOptions): (line: Line) => void {
  if (out.isJson) return (line) => out.jsonLine(line);
  const colours = options.ansi && hasColour(runtime.stdout, env, globals.noColor);
  const look = { paint: out.paint, colours, timestamps: options.timestamps, names: options.replica === undefined };
  return (line) => void runtime.stdout.write(`${shownLine(line, look)}\n`);
}
