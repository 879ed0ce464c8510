import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Level } from './level.ts';
import { type LogFilter, levelsIn, streamIn } from './log-filter.ts';

/** All of the page's state, which stands in the address. */
export interface LogAddress {
  filter: LogFilter;
  levels: ReadonlySet<Level> | null;
  /** As the address says it: `15m`, a moment, or null. */
  since: string | null;
  until: string | null;
  /** What is sought in the lines that are there. */
  find: string;
  /** The time of a line that a link is about. */
  line: string | null;
  isWrapped: boolean;
  hasTimes: boolean;
  isRaw: boolean;
}

/** Sets parts of it; null takes one away. */
export type SetLogAddress = (texts: Partial<Record<LogName, string | null>>) => void;

const NAMES = [
  'q',
  'instance',
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
    instance: text('instance'),
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
