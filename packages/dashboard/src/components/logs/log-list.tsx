import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { copy } from '../../ui/copy.tsx';
import { say } from '../../ui/toast.tsx';
import { plainOf } from './ansi.ts';
import type { Entry } from './log-buffer.ts';
import type { LogFeed } from './log-feed.ts';
import { LogRow, type RowActions, type RowLook } from './log-row.tsx';
import { later } from './period.ts';
import './logs.css';
import type { LogAddress } from './use-log-address.ts';
import { onLogKey } from './use-log-keys.ts';
import type { LogScroll } from './use-log-scroll.ts';

export interface LogListProps {
  feed: LogFeed;
  scroll: LogScroll;
  address: LogAddress;
  look: RowLook;
  /** Id of the log line that the search or a link selected, or `null`. */
  current: number | null;
  onFind: (direction: 1 | -1) => void;
  /** Content above the first log line, such as a message that older lines are being loaded. */
  top: ReactNode;
}

/** Renders the list of log lines. The DOM contains only the rows in the viewport. */
export function LogList({ feed, scroll, address, look, current, onFind, top }: LogListProps) {
  const { shown } = feed.buffer;
  const [active, setActive] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const actions = useActions(setOpen);
  const entryOf = (id: number | null): Entry | undefined => {
    if (id === null) return undefined;
    const entry = shown.at(shown.partition((one) => one.id >= id));
    return entry?.id === id ? entry : undefined;
  };
  const withActive = (act: (entry: Entry) => void) => () => {
    const entry = entryOf(active ?? current);
    if (entry) act(entry);
  };
  const move = (step: 1 | -1) => {
    const [first, last] = scroll.inSight();
    const at = entryOf(active) ? shown.partition(({ id }) => id >= (active ?? 0)) + step : step === 1 ? first : last;
    const entry = shown.at(Math.max(0, Math.min(shown.length - 1, at)));
    if (entry === undefined) return;
    setActive(entry.id);
    setSaid(plainOf(entry.line).slice(0, 300));
    if (at <= first || at >= last) scroll.show(entry.id, step === 1 ? 0.8 : 0.1);
  };
  const onHover = (target: EventTarget) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    if (row !== null) setActive(Number(row.dataset.row));
  };
  return (
    <>
      <div
        ref={scroll.box}
        role="log"
        aria-live="off"
        aria-label={`Log lines${address.isWrapped ? ', wrapped' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
        tabIndex={0}
        onScroll={scroll.onScroll}
        onPointerOver={(event) => onHover(event.target)}
        onPointerDown={(event) => onHover(event.target)}
        onPointerLeave={() => setActive(null)}
        onKeyDown={(event) =>
          onLogKey(event, {
            ...{ move, find: onFind, toTop: scroll.toTop, follow: scroll.follow },
            open: withActive(actions.onOpen),
            copy: withActive(actions.onCopy),
            copyLink: withActive(actions.onCopyLink),
          })
        }
        className="log-lines relative h-full overflow-auto bg-panel font-mono text-[0.78125rem] leading-[22px] [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div ref={scroll.head} className="sticky left-0 flow-root">
          {top}
        </div>
        <div className="relative min-w-full" style={{ height: scroll.layout.total }}>
          <div
            className={`absolute top-0 left-0 min-w-full ${address.isWrapped ? 'w-full' : 'w-max'}`}
            style={{ transform: `translateY(${scroll.layout.offset(scroll.first)}px)` }}
          >
            {shown.slice(scroll.first, scroll.last).map((entry) => (
              <LogRow
                key={entry.id}
                {...{ entry, look, ...actions }}
                isOpen={open.has(entry.id)}
                isCurrent={entry.id === current}
                isActive={entry.id === active}
              />
            ))}
          </div>
        </div>
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

/**
 * Returns the same callbacks at each render. React therefore re-renders a log row only if the data of the row has
 * changed.
 */
function useActions(setOpen: (change: (before: ReadonlySet<number>) => ReadonlySet<number>) => void): RowActions {
  return useMemo(
    () => ({
      onOpen: ({ id }) =>
        setOpen((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      onCopy: ({ line }) => void copy(line).then(() => say('Copied the line.')),
      onCopyLink: (entry) => void copy(linkTo(entry)).then(() => say('Copied a link to the line.')),
    }),
    [setOpen],
  );
}

/**
 * Length in milliseconds of the period after a shared log line. The link to the log line also shows the lines of this
 * period.
 */
const AFTER_MS = 60_000;

/**
 * Returns a URL for sharing a log line. The URL contains the current filters, the time of the log line, and a fixed end
 * time. The URL therefore shows the same lines later.
 */
function linkTo({ at }: Entry): string {
  const url = new URL(window.location.href);
  url.searchParams.delete('since');
  url.searchParams.set('until', later(at, AFTER_MS));
  url.searchParams.set('line', at);
  return url.href;
}

/**
 * Scrolls to the log line that the URL names. Loads older log lines until this log line is found.
 * @returns the id of the log line, or `null` if the log line is not loaded
 */
export function useLinkedLine(feed: LogFeed, line: string | null, show: LogScroll['show']): number | null {
  const shownFor = useRef<string | null>(null);
  const { all } = feed.buffer;
  const found = line === null ? undefined : all.slice(0, all.length).find(({ at }) => at === line);
  const oldest = all.first()?.at;
  useEffect(() => {
    if (line === null || shownFor.current === line) return;
    if (found !== undefined) {
      shownFor.current = line;
      show(found.id, 0.4);
    } else if (feed.older.state === 'idle' && (oldest === undefined || oldest >= line)) void feed.older.load();
  });
  return found?.id ?? null;
}
