/**
 * Manages the scroll position of the log page. The position is a log line and an offset in pixels. Visible lines
 * therefore stay in place when the lines above change.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { LogFeed } from './log-feed.ts';
import { RowLayout } from './row-layout.ts';

/**
 * Scroll position of the log page. `end` means that the page scrolls to new log lines. `line` means that the log line
 * `id` is at the upper edge, with an offset in pixels.
 */
export type ScrollPosition = { kind: 'end' } | { kind: 'line'; id: number; above: number; newest: number };

/** Height in pixels of the areas above and below the viewport in which log rows are also rendered. */
const BEYOND_PX = 220;
const NEAR_TOP_PX = 400;
const AT_END_PX = 6;
/**
 * Maximum number of pages with older log lines that are loaded without user action. If few log lines match the filter,
 * several pages are needed to fill the screen.
 */
const MOST_ALONE = 10;

export interface LogScroll {
  box: RefObject<HTMLDivElement | null>;
  /** Element above the first log row. The element scrolls together with the log rows. */
  head: RefObject<HTMLDivElement | null>;
  size: { width: number; height: number };
  first: number;
  last: number;
  layout: RowLayout;
  isFollowing: boolean;
  /** Number of new log lines since the user scrolled up. The new lines are below the viewport. */
  below: number;
  follow: () => void;
  toTop: () => void;
  /**
   * Scrolls to a log line.
   * @param part vertical position of the line in the viewport, from 0 for the top to 1 for the bottom
   */
  show: (id: number, part: number) => void;
  /** Measures the rendered log rows and stores the new scroll position. */
  onScroll: () => void;
  /** Returns the indexes of the first and the last visible log line. */
  inSight: () => [first: number, last: number];
  loadOlder: () => void;
}

export function useLogScroll(feed: LogFeed, columnsOf: (width: number) => number | null): LogScroll {
  useSyncExternalStore(feed.subscribe, feed.version);
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [layout] = useState(() => new RowLayout());
  const [size, setSize] = useState({ width: 800, height: 500, head: 0 });
  const [position, setPosition] = useState<ScrollPosition>({ kind: 'end' });
  const [, measureAgain] = useState(0);
  const alone = useRef(0);
  const { shown } = feed.buffer;
  layout.wrapAt(columnsOf(size.width));
  layout.measure(shown);
  const top = topOf(position, layout, feed, size);
  const belowHead = top - size.head;
  const isFollowing = feed.isFollowed && position.kind === 'end';
  const first = layout.at(belowHead - BEYOND_PX);
  const last = Math.min(shown.length, layout.at(belowHead + size.height + BEYOND_PX) + 1);

  useEffect(() => {
    const [element, above] = [box.current, head.current];
    if (element === null || above === null) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight, head: above.offsetHeight }),
    );
    observer.observe(element);
    observer.observe(above);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => feed.hold(position.kind !== 'end'), [feed, position.kind]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (seeRows(element, feed, layout)) measureAgain((count) => count + 1);
    // Set the scroll position before the browser paints.
    if (Math.abs(element.scrollTop - top) > 1) element.scrollTop = top;
    if (top > NEAR_TOP_PX || feed.older.state !== 'idle' || alone.current >= MOST_ALONE) return;
    alone.current += 1;
    void feed.older.load();
  });

  const newest = () => shown.last()?.id ?? 0;
  return {
    ...{ box, head, size, first, last, layout, isFollowing },
    below: position.kind === 'end' ? 0 : shown.length - shown.partition(({ id }) => id > position.newest),
    follow: () => setPosition({ kind: 'end' }),
    toTop: () => {
      alone.current = 0;
      setPosition({ kind: 'line', id: shown.first()?.id ?? 0, above: -size.head, newest: newest() });
    },
    show: (id, part) => setPosition({ kind: 'line', id, above: -part * size.height, newest: newest() }),
    onScroll: () => {
      const element = box.current;
      if (element === null || Math.abs(element.scrollTop - top) <= 1) return;
      alone.current = 0;
      setPosition((before) => positionAt(element, size.head, layout, feed, before));
    },
    inSight: () => [layout.at(belowHead), layout.at(belowHead + size.height - 1)],
    loadOlder: () => {
      alone.current = 0;
      void feed.older.load();
    },
  };
}

function topOf(
  position: ScrollPosition,
  layout: RowLayout,
  { buffer: { shown } }: LogFeed,
  { height, head }: { height: number; head: number },
): number {
  const most = Math.max(0, head + layout.total - height);
  if (position.kind === 'end') return most;
  const at = shown.partition(({ id }) => id >= position.id);
  return Math.max(0, Math.min(most, head + layout.offset(at) + position.above));
}

/** Reads the scroll position of the log from its DOM element. */
function positionAt(
  element: HTMLElement,
  head: number,
  layout: RowLayout,
  { buffer: { shown } }: LogFeed,
  before: ScrollPosition,
): ScrollPosition {
  const { scrollTop, scrollHeight, clientHeight } = element;
  if (scrollHeight - clientHeight - scrollTop <= AT_END_PX) return { kind: 'end' };
  const at = layout.at(scrollTop - head);
  const newest = before.kind === 'line' ? before.newest : (shown.last()?.id ?? 0);
  return { kind: 'line', id: shown.at(at)?.id ?? 0, above: scrollTop - head - layout.offset(at), newest };
}

/**
 * Measures the height of log rows. Rows that are known to have the normal height are skipped, because measuring is
 * slow.
 * @returns whether a measured height differs from the calculated height
 */
function seeRows(element: HTMLElement, { buffer: { shown } }: LogFeed, layout: RowLayout): boolean {
  let isOther = false;
  const rows = layout.isUniform ? '[data-row][data-tall]' : '[data-row]';
  for (const row of element.querySelectorAll<HTMLElement>(rows)) {
    const id = Number(row.dataset.row);
    const entry = shown.at(shown.partition((one) => one.id >= id));
    if (entry?.id === id && layout.see(entry, row.offsetHeight)) isOther = true;
  }
  return isOther;
}
