/** Which lines are asked for, as the address and the API have it. */
import type { Args } from '../../api.ts';
import type { LogLine } from '../../live/live.ts';
import { plainOf } from './ansi.ts';
import { LEVELS, type Level } from './level.ts';

/** What the instance itself looks for; null: everything. */
export interface LogFilter {
  readonly q: string | null;
  readonly instance: string | null;
  readonly stream: 'stdout' | 'stderr' | null;
  readonly deployment: string | null;
}

/** A time that has been, from and to; null: open. */
export interface Period {
  readonly since: string | null;
  readonly until: string | null;
}

type LogQuery = NonNullable<Args<'getAppLogs'>['query']>;

/** The same question as the API takes it. */
export function queryOf(filter: LogFilter, { since, until }: Period): LogQuery {
  const { q, instance, stream, deployment } = filter;
  return {
    ...(q !== null && { q }),
    ...(instance !== null && { instance }),
    ...(stream !== null && { stream }),
    ...(deployment !== null && { deployment }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  } as LogQuery;
}

/** Whether a line that is followed is one of those asked for. */
export function passes({ q, instance, stream, deployment }: LogFilter, line: LogLine): boolean {
  if (instance !== null && line.instance !== instance) return false;
  if (stream !== null && line.stream !== stream) return false;
  if (deployment !== null && !line.instance.startsWith(`${deployment}-`)) return false;
  return q === null || plainOf(line.line).toLowerCase().includes(q.toLowerCase());
}

export function isOpen({ q, instance, stream, deployment }: LogFilter): boolean {
  return q === null && instance === null && stream === null && deployment === null;
}

/** `error,warn` of the address; null: all levels. */
export function levelsIn(text: string | null): ReadonlySet<Level> | null {
  if (text === null) return null;
  const named = LEVELS.filter((level) => text.split(',').includes(level));
  return named.length === 0 || named.length === LEVELS.length ? null : new Set(named);
}

/** The levels after one was pressed, for the address. */
export function toggled(levels: ReadonlySet<Level> | null, level: Level): string | null {
  const all = new Set(levels ?? []);
  if (!all.delete(level)) all.add(level);
  return all.size === 0 || all.size === LEVELS.length ? null : LEVELS.filter((one) => all.has(one)).join(',');
}

export function streamIn(text: string | null): LogFilter['stream'] {
  return text === 'stdout' || text === 'stderr' ? text : null;
}
