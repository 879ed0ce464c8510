import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Level } from './level.ts';
import { type LogFilter, levelsIn, streamIn } from './log-filter.ts';

/** Filters and display settings of the log page, parsed from the URL. */
export interface LogAddress {
  filter: LogFilter;
  levels: ReadonlySet<Level> | null;
  /** Start of the log period, as in the URL. The start is a time span such as `15m`, an ISO time, or `null`. */
  since: string | null;
  until: string | null;
  /** Search text that the browser searches for in the loaded log lines. */
  find: string;
  /** ISO time of the log line that a link points to, or `null`. */
  line: string | null;
  isWrapped: boolean;
  hasTimes: boolean;
  isRaw: boolean;
}

/** Changes parameters of the log page in the URL. The value `null` removes a parameter. */
export type SetLogAddress = (texts: Partial<Record<LogName, string | null>>) => void;

const NAMES = [
  'q',
  'replica',
  'stream',
  'deployment',
  'level',
  'since',
  'until',
  'find',
  'line',
  'wrap',
  'times',
  'json',
] as const;
export type LogName = (typeof NAMES)[number];

export function useLogAddress(): [LogAddress, SetLogAddress] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const text = (name: LogName) => {
    const value = search[name];
    return value === undefined || value === null || value === '' ? null : String(value);
  };
  const filter = {
    q: text('q'),
    replica: text('replica'),
    stream: streamIn(text('stream')),
    deployment: text('deployment'),
  };
  const address = {
    filter,
    levels: levelsIn(text('level')),
    since: text('since'),
    until: text('until'),
    find: text('find') ?? '',
    line: text('line'),
    isWrapped: text('wrap') === '1',
    hasTimes: text('times') !== '0',
    isRaw: text('json') === 'raw',
  };
  const set: SetLogAddress = (texts) => {
    const next = (before: Record<string, unknown>) => {
      const after = { ...before };
      for (const [name, value] of Object.entries(texts)) after[name] = value ?? undefined;
      return after;
    };
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return [address, set];
}
