/** API functions that return the log lines of an app as text, as JSON or as a live stream. */
import {
  DavitError,
  invalidField,
  type LogEvent,
  type LogLines,
  type operations,
  type Received,
  timestamp,
} from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import type { LogsDeps } from './deps.ts';
import { type Followed, type KeptLine, type LogFilter, type LogSearch, LogsUnreadable } from './logs.ts';
import { parseMoment } from './moment.ts';

export const USUAL_LINES = 500;
/**
 * Maximum number of log lines in a response. If a client requests more lines, it gets this number. If a client requests
 * `all` lines, only the size in bytes is limited.
 */
const MOST_LINES = 10_000;
const MOST_BYTES = 10 * 1024 * 1024;

export const LINES_UNREADABLE =
  'The stored log lines cannot be read from the disk. Check the folder “logs” of the data directory.';

export type LogRequest = Received<(typeof operations)['getAppLogs']>['query'];

/**
 * Returns the newest log lines of an app as text. If the lines come from several replicas, each line starts with the
 * replica's name.
 */
export async function readLogs(core: LogsDeps, ctx: OpContext, app: AppTarget, ask: LogRequest): Promise<string> {
  const { lines, more } = await findLogs(core, ctx, app, ask);
  const areOfSeveral = lines.some(({ replica }) => replica !== lines[0]?.replica);
  const text = lines.map(({ replica, line }) => `${areOfSeveral ? `${replica} | ` : ''}${withoutNul(line)}\n`).join('');
  return more && lines.length < requestedCount(ask) ? `${cutNotice(lines.length)}${text}` : text;
}

/**
 * Returns the newest log lines of an app as a `LogLines` object.
 * @throws DavitError unavailable if the stored lines cannot be read
 */
export async function findLogs(core: LogsDeps, ctx: OpContext, app: AppTarget, ask: LogRequest): Promise<LogLines> {
  try {
    return await core.logs.search(app.id, searchOf(ask), ctx.signal);
  } catch (error) {
    if (!(error instanceof LogsUnreadable)) throw error;
    throw new DavitError('unavailable', LINES_UNREADABLE, { cause: error });
  }
}

/**
 * Returns a stream with an app's newest log lines, followed by new lines.
 * @param position number of the last received line, if any
 * @throws DavitError invalid_input
 */
export function followLogs(
  core: LogsDeps,
  app: AppTarget,
  ask: LogRequest,
  position: string | undefined,
): (signal: AbortSignal) => AsyncGenerator<LiveEvent> {
  if (position !== undefined && !/^\d{1,15}$/.test(position)) {
    throw invalidField(
      'Last-Event-ID',
      'invalid_value',
      'must be the ID of an event that this log stream sent before.',
    );
  }
  const after = position === undefined ? null : Number(position);
  const following = { filter: filterOf(ask), tail: Math.min(requestedCount(ask), MOST_LINES), after };
  return async function* events(signal) {
    for await (const followed of core.logs.follow(app.id, following, signal)) {
      yield followed.kind === 'reset' ? RESET : logEvent(core, app, followed);
    }
  };
}

export const LINES_GONE =
  'Some log lines after the last received line are not stored any more. The stream continues with the newest lines.';

const RESET: LiveEvent = {
  event: 'reset',
  data: { reason: 'position_gone', message: LINES_GONE },
};

/** Map from log lines to their JSON text. The text is created only once for all clients that receive the same lines. */
const written = new WeakMap<Followed, string>();

export function logEvent(core: LogsDeps, app: AppTarget, followed: Followed & { kind: 'lines' }): LiveEvent {
  const linesJson = written.get(followed) ?? JSON.stringify(followed.lines.map(shown));
  written.set(followed, linesJson);
  const { last } = followed;
  const data = { seq: last, at: timestamp(core.now()), app: app.reference };
  return { id: last, event: 'log', data, json: `${JSON.stringify(data).slice(0, -1)},"lines":${linesJson}}` };
}

function shown({ replica, stream, at, line }: KeptLine): LogEvent['lines'][number] {
  return { replica, stream, at, line };
}

function filterOf({ q, replica, deployment, stream }: LogRequest): LogFilter {
  return { q, replica, deployment, stream };
}

function searchOf(ask: LogRequest): LogSearch {
  const { since, until } = ask;
  const count = requestedCount(ask);
  return {
    ...filterOf(ask),
    since: since === undefined ? undefined : parseMoment(since),
    until: until === undefined ? undefined : parseMoment(until),
    limit: Number.isFinite(count) ? Math.min(count, MOST_LINES) : count,
    maxBytes: MOST_BYTES,
  };
}

/** Returns the maximum number of log lines that a client requested. Infinity means all lines. */
function requestedCount({ tail, limit }: LogRequest): number {
  return tail === 'all' ? Number.POSITIVE_INFINITY : (limit ?? Number(tail ?? USUAL_LINES));
}

/**
 * Replaces NUL characters, because many programs treat NUL as the end of the text. Color codes stay, because terminals
 * can display colors.
 */
function withoutNul(line: string): string {
  return line.replaceAll('\u0000', '\uFFFD');
}

function cutNotice(kept: number): string {
  return `[earlier lines are omitted: these are the last ${kept} lines; request fewer lines, or set “since”]\n`;
}
