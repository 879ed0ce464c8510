/**
 * Converts the log filter from the URL to API query parameters. Also applies the filter to live log lines in the
 * browser.
 */
import type { Args } from '../../api.ts';
import type { LogLine } from '../../live/live.ts';
import { plainOf } from './ansi.ts';
import { LEVELS, type Level } from './level.ts';

/**
 * Log filter that the server applies to stored log lines. If a field is `null`, log lines are not filtered by this
 * field.
 */
export interface LogFilter {
  readonly q: string | null;
  readonly replica: string | null;
  readonly stream: 'stdout' | 'stderr' | null;
  readonly deployment: string | null;
}

/** Period of log lines. `since: null` means no start time, and `until: null` means no end time. */
export interface Period {
  readonly since: string | null;
  readonly until: string | null;
}

type LogQuery = NonNullable<Args<'getAppLogs'>['query']>;

/** Converts a log filter and a period into query parameters of the API. */
export function queryOf(filter: LogFilter, { since, until }: Period): LogQuery {
  const { q, replica, stream, deployment } = filter;
  return {
    ...(q !== null && { q }),
    ...(replica !== null && { replica }),
    ...(stream !== null && { stream }),
    ...(deployment !== null && { deployment }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  } as LogQuery;
}

/** Returns whether a live log line matches the log filter. */
export function passes({ q, replica, stream, deployment }: LogFilter, line: LogLine): boolean {
  if (replica !== null && line.replica !== replica) return false;
  if (stream !== null && line.stream !== stream) return false;
  if (deployment !== null && !line.replica.startsWith(`${deployment}-`)) return false;
  return q === null || plainOf(line.line).toLowerCase().includes(q.toLowerCase());
}

export function isOpen({ q, replica, stream, deployment }: LogFilter): boolean {
  return q === null && replica === null && stream === null && deployment === null;
}

/** Parses the severity levels in the URL, such as `error,warn`. Returns `null` if log lines of all levels are shown. */
export function levelsIn(text: string | null): ReadonlySet<Level> | null {
  if (text === null) return null;
  const named = LEVELS.filter((level) => text.split(',').includes(level));
  return named.length === 0 || named.length === LEVELS.length ? null : new Set(named);
}

/**
 * Returns the value for the URL's `level` parameter after the user toggled a severity level. `null` means all levels.
 */
export function toggled(levels: ReadonlySet<Level> | null, level: Level): string | null {
  const all = new Set(levels ?? []);
  if (!all.delete(level)) all.add(level);
  return all.size === 0 || all.size === LEVELS.length ? null : LEVELS.filter((one) => all.has(one)).join(',');
}

export function streamIn(text: string | null): LogFilter['stream'] {
  return text === 'stdout' || text === 'stderr' ? text : null;
}
