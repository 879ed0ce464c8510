import { useEffect, useState } from 'react';
import { query, queryClient } from '../../api.ts';
import { followLogs } from '../../live/live.ts';
import type { AppPath } from '../../paths.ts';
import type { ReadLines } from './feed-parts.ts';
import { LogFeed } from './log-feed.ts';
import { type LogFilter, queryOf } from './log-filter.ts';
import { periodIn } from './period.ts';

function reader(params: AppPath, filter: LogFilter): ReadLines {
  return async (period, limit) => {
    const queryParams = { ...queryOf(filter, period), limit: String(limit), format: 'json' as const };
    // Do not keep the log lines in the query cache, because the log buffer already keeps these lines in memory.
    const found = await queryClient.fetchQuery({
      ...query('getAppLogs', { params, query: queryParams }),
      staleTime: 0,
      gcTime: 0,
    });
    if (typeof found === 'string') throw new Error('Cannot read the log lines from the instance. Reload the page.');
    return found;
  };
}

/**
 * Returns the log feed, which provides the log lines for a filter and a period. Returns `null` in the first render. A
 * change of the filter or the period creates a new log feed.
 */
export function useLogFeed(
  { project, environment, app }: AppPath,
  { q, replica, stream, deployment }: LogFilter,
  since: string | null,
  until: string | null,
): LogFeed | null {
  const [feed, setFeed] = useState<LogFeed | null>(null);
  useEffect(() => {
    const filter = { q, replica, stream, deployment };
    const period = periodIn(since, until, Date.now());
    const reference = `${project}/${environment}/${app}`;
    const begun = new LogFeed({
      follow: period === null ? (listener) => followLogs(reference, listener) : null,
      read: reader({ project, environment, app }, filter),
      filter,
      period: period ?? { since: null, until: null },
    });
    begun.start();
    setFeed(begun);
    return () => begun.end();
  }, [project, environment, app, q, replica, stream, deployment, since, until]);
  return feed;
}
