import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Level } from './level.ts';
import { type LogFilter, levelsIn, streamIn } from './log-filter.ts';

/** The complete state of the page. All of it is in the URL. */
export interface LogAddress {
  filter: LogFilter;
  levels: ReadonlySet<Level> | null;
  /** Start of the period as the URL has it: `15m`, a moment, or `null`. */
  since: string | null;
  until: string | null;
  /** Text that is searched in the loaded lines. */
  find: string;
  /** Time of the line that a link points to. */
  line: string | null;
  isWrapped: boolean;
  hasTimes: boolean;
  isRaw: boolean;
}

/** Sets parts of the state. `null` removes a part from the URL. */
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
