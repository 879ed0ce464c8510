import { useEffect, useMemo, useState } from 'react';
import { api, useAnswer } from '../../api.ts';
import type { AppPath } from '../../paths.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useAppPath } from '../../util/params.ts';
import type { LogFeed } from './log-feed.ts';
import { type LogFilter, queryOf } from './log-filter.ts';
import { LogList, useLinkedLine } from './log-list.tsx';
import { NoLines, TopOfLog } from './log-notices.tsx';
import type { RowLook } from './log-row.tsx';
import { LogStatus } from './log-status.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import { periodIn } from './period.ts';
import { type LogAddress, type SetLogAddress, useLogAddress } from './use-log-address.ts';
import { useLogFeed } from './use-log-feed.ts';
import { useLogScroll } from './use-log-scroll.ts';

/** Minimum page width in pixels at which log rows show the replica and the fractions of a second. */
const NARROW_PX = 560;
/** Width in pixels of the border and the padding of a log row. */
const EDGES_PX = 24;
/** Width in characters of the column for the severity level. The column shows the severity level as one letter. */
const LEVEL_COLUMNS = 2;

export function LogView() {
  const path = useAppPath();
  const [address, set] = useLogAddress();
  const feed = useLogFeed(path, address.filter, address.since, address.until);
  // The first render has no log feed, because `useLogFeed` creates the feed in an effect.
  if (feed === null) return <div className="h-[max(22rem,calc(100dvh-16rem))]" />;
  return <Lines key={keyOf(feed)} path={path} feed={feed} address={address} set={set} />;
}

const keys = new WeakMap<LogFeed, number>();
let lastKey = 0;

/**
 * Returns a React key that is unique for each log feed. After a change of the filter, the new key resets the scroll
 * position and closes the opened rows.
 */
function keyOf(feed: LogFeed): number {
  const key = keys.get(feed) ?? ++lastKey;
  keys.set(feed, key);
  return key;
}

interface LinesProps {
  path: AppPath;
  feed: LogFeed;
  address: LogAddress;
  set: SetLogAddress;
}

function Lines({ path, feed, address, set }: LinesProps) {
  const app = useAnswer('getApp', { params: path });
  const deployments = useAnswer('listDeployments', { params: path });
  const [found, setFound] = useState<number | null>(null);
  const [columns, setColumns] = useState({ time: 13, replica: 0 });
  const scroll = useLogScroll(feed, (width) => columnsIn(width, address, columns));
  const linked = useLinkedLine(feed, address.line, scroll.show);
  const levels = address.levels === null ? '' : [...address.levels].join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `levels` stands for the content of the Set
  useEffect(() => feed.showLevels(address.levels), [feed, levels]);
  const widths = widthsOf(feed, address, scroll.size.width);
  if (widths.time !== columns.time || widths.replica !== columns.replica) setColumns(widths);
  const { sought } = feed.finder;
  const look: RowLook = useMemo(
    () => ({
      sought,
      isWrapped: address.isWrapped,
      isRaw: address.isRaw,
      timeColumns: columns.time,
      replicaColumns: columns.replica,
    }),
    [sought, address.isWrapped, address.isRaw, columns],
  );
  const onFind = (direction: 1 | -1) => {
    const { shown } = feed.buffer;
    const from = found ?? (direction === 1 ? (shown.at(scroll.inSight()[0])?.id ?? 0) - 1 : null);
    const id = feed.finder.step(from, direction);
    setFound(id);
    if (id !== null) scroll.show(id, 0.4);
  };
  return (
    <div className="flex flex-col gap-3">
      <LogToolbar
        {...{ feed, address, set, deployments, onFind }}
        current={found}
        onDownload={() => download(path, address)}
      />
      <section
        aria-label="Log"
        className="flex flex-col overflow-hidden rounded-xl border border-line bg-panel shadow-panel"
      >
        <div className="relative h-[max(20rem,calc(100dvh-22rem))]">
          <LogList
            {...{ feed, scroll, address, look, onFind }}
            current={found ?? linked}
            top={<TopOfLog feed={feed} onLoad={scroll.loadOlder} />}
          />
          {feed.buffer.shown.length === 0 && <NoLines {...{ app, feed, address, set }} />}
        </div>
        <LogStatus {...{ feed, scroll, address, set }} />
      </section>
    </div>
  );
}

function widthsOf(feed: LogFeed, { hasTimes }: LogAddress, width: number): { time: number; replica: number } {
  const isNarrow = width < NARROW_PX;
  const longest = Math.max(...[...feed.replicas].map(({ length }) => length), 0);
  return {
    time: hasTimes ? (isNarrow ? 9 : 13) : 0,
    replica: feed.replicas.size > 1 && !isNarrow ? longest + 1 : 0,
  };
}

let letterPx = 0;

/**
 * Returns the number of characters of a log line that fit into one line of the page. Returns `null` if long log lines
 * are not wrapped.
 */
function columnsIn(
  width: number,
  { isWrapped }: LogAddress,
  { time, replica }: { time: number; replica: number },
): number | null {
  if (!isWrapped) return null;
  letterPx ||= measureLetter();
  return Math.max(10, Math.floor((width - EDGES_PX) / letterPx) - LEVEL_COLUMNS - time - replica);
}

function measureLetter(): number {
  const probe = document.createElement('span');
  probe.className = 'font-mono text-[0.78125rem] absolute invisible whitespace-pre';
  probe.textContent = '0'.repeat(100);
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width / 100 || 7.5;
}

/** Downloads the log lines that match the filter and the period as a text file. */
async function download(path: AppPath, { filter, since, until }: LogAddress): Promise<void> {
  try {
    const text = await textOf(path, filter, since, until);
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${path.project}-${path.environment}-${path.app}.log`;
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    sayProblem(error as Error);
  }
}

async function textOf(params: AppPath, filter: LogFilter, since: string | null, until: string | null): Promise<string> {
  const period = periodIn(since, until, Date.now()) ?? { since: null, until: null };
  const answer = await api.getAppLogs({ params, query: { ...queryOf(filter, period), tail: 'all' } });
  return typeof answer === 'string' ? answer : '';
}
