import { count, grouped } from '@davit/api';
import { ArrowDown } from 'lucide-react';
import { liveState } from '../../live/live.ts';
import { Button } from '../../ui/button.tsx';
import { useStore } from '../../util/store.ts';
import type { LogFeed } from './log-feed.ts';
import { later, momentIn, shortTime } from './period.ts';
import type { LogAddress, SetLogAddress } from './use-log-address.ts';
import type { LogScroll } from './use-log-scroll.ts';

export interface LogStatusProps {
  feed: LogFeed;
  scroll: LogScroll;
  address: LogAddress;
  set: SetLogAddress;
}

/** Shows whether the log page follows new lines, and how many lines are loaded. A button scrolls to the newest line. */
export function LogStatus(props: LogStatusProps) {
  const { shown, all } = props.feed.buffer;
  const { letGo: discarded } = props.feed.buffer;
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line bg-panel px-3 py-1 text-xs text-soft">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {props.feed.isFollowed ? <Followed {...props} /> : <Past {...props} />}
      </div>
      <p className="tabular-nums">
        {shown.length === all.length
          ? count(all.length, 'line')
          : `${grouped(shown.length)} of ${count(all.length, 'line')}`}
        {discarded > 0 && (
          <span title="This page contains only the newest lines. Choose a time range or download the logs to read all stored lines.">
            {' '}
            · {grouped(discarded)} older lines not shown
          </span>
        )}
      </p>
    </div>
  );
}

function Followed({ feed, scroll }: LogStatusProps) {
  const live = useStore(liveState);
  const { isFollowing, below, follow } = scroll;
  if (feed.refused) return <p className="text-error">Cannot follow new lines: {feed.refused.message}</p>;
  const isAway = live === 'away';
  const said = isAway
    ? 'Connection interrupted. New lines appear when the instance responds again.'
    : isFollowing
      ? 'Following'
      : 'Paused';
  const dot = isAway ? 'bg-warning' : isFollowing ? 'bg-good motion-safe:animate-pulse' : 'bg-edge';
  return (
    <>
      <p role="status" className="flex items-center gap-1.5">
        <span aria-hidden className={`size-2 rounded-full ${dot}`} />
        {said}
      </p>
      {!isFollowing && (
        <Button kind="primary" onClick={follow} className="min-h-7! px-2 text-xs" aria-keyshortcuts="End">
          <ArrowDown className="size-3.5" aria-hidden />
          Follow{below > 0 && ` · ${grouped(below)} new`}
        </Button>
      )}
    </>
  );
}

/** Milliseconds that the button `Show 10 more minutes` adds to the shown period. */
const LATER_MS = 10 * 60_000;

function Past({ address: { since, until }, set }: LogStatusProps) {
  const [from, to] = [momentIn(since, Date.now()), momentIn(until, Date.now())];
  return (
    <>
      <p>
        {from === null ? 'From the oldest line' : `From ${shortTime(from)}`} to {to === null ? 'now' : shortTime(to)}.
        New lines are not shown.
      </p>
      {to !== null && (
        <Button onClick={() => set({ until: later(to, LATER_MS) })} className="min-h-7! px-2 text-xs">
          Show 10 more minutes
        </Button>
      )}
      <Button onClick={() => set({ since: null, until: null, line: null })} className="min-h-7! px-2 text-xs">
        Follow new lines
      </Button>
    </>
  );
}
