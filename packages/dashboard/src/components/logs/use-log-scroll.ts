/**
 * Manages the visible part of the log. The position is a line and not a number of pixels, so that the view stays still
 * when older lines are added or removed above. At the end, the view follows new lines. Each render calculates the
 * position and scrolls there before the browser paints.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { LogFeed } from './log-feed.ts';
import { RowLayout } from './row-layout.ts';

/**
 * Position of the view: `end` follows new lines. Otherwise, the position is the line at the upper edge and its distance
 * in pixels.
 */
export type Place = { kind: 'end' } | { kind: 'line'; id: number; above: number; newest: number };

/** Distance in pixels beyond the edges in which lines are already rendered. */
const BEYOND_PX = 220;
const NEAR_TOP_PX = 400;
const AT_END_PX = 6;
/** Maximum number of pages that are loaded in a row without scrolling, for example when a level is rare. */
const MOST_ALONE = 10;

export interface LogScroll {
  box: RefObject<HTMLDivElement | null>;
  /** Element above the first line that scrolls with the lines. */
  head: RefObject<HTMLDivElement | null>;
  size: { width: number; height: number };
  first: number;
  last: number;
  layout: RowLayout;
  isFollowing: boolean;
  /** Number of new lines below the visible lines. */
  below: number;
  follow: () => void;
  toTop: () => void;
  /**
   * Scrolls a line into view.
   * @param part vertical position in the view, from 0 to 1
   */
  show: (id: number, part: number) => void;
  /** Reads the measured heights of the rows and the new position. */
  onScroll: () => void;
  /** Returns the indexes of the visible lines. */
  inSight: () => [first: number, last: number];
  loadOlder: () => void;
}

export function useLogScroll(feed: LogFeed, columnsOf: (width: number) => number | null): LogScroll {
  useSyncExternalStore(feed.subscribe, feed.version);
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [layout] = useState(() => new RowLayout());
  const [size, setSize] = useState({ width: 800, height: 500, head: 0 });
  const [place, setPlace] = useState<Place>({ kind: 'end' });
  const [, measureAgain] = useState(0);
  const alone = useRef(0);
  const { shown } = feed.buffer;
  layout.wrapAt(columnsOf(size.width));
  layout.measure(shown);
  const top = topOf(place, layout, feed, size);
  const belowHead = top - size.head;
  const isFollowing = feed.isFollowed && place.kind === 'end';
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
  useLayoutEffect(() => feed.hold(place.kind !== 'end'), [feed, place.kind]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (seeRows(element, feed, layout)) measureAgain((count) => count + 1);
    if (Math.abs(element.scrollTop - top) > 1) element.scrollTop = top;
    if (top > NEAR_TOP_PX || feed.older.state !== 'idle' || alone.current >= MOST_ALONE) return;
    alone.current += 1;
    void feed.older.load();
  });

  const newest = () => shown.last()?.id ?? 0;
  return {
    ...{ box, head, size, first, last, layout, isFollowing },
    below: place.kind === 'end' ? 0 : shown.length - shown.partition(({ id }) => id > place.newest),
    follow: () => setPlace({ kind: 'end' }),
    toTop: () => {
      alone.current = 0;
      setPlace({ kind: 'line', id: shown.first()?.id ?? 0, above: -size.head, newest: newest() });
    },
    show: (id, part) => setPlace({ kind: 'line', id, above: -part * size.height, newest: newest() }),
    onScroll: () => {
      const element = box.current;
      if (element === null || Math.abs(element.scrollTop - top) <= 1) return;
      alone.current = 0;
      setPlace((before) => placeAt(element, size.head, layout, feed, before));
    },
    inSight: () => [layout.at(belowHead), layout.at(belowHead + size.height - 1)],
    loadOlder: () => {
      alone.current = 0;
      void feed.older.load();
    },
  };
}

function topOf(
  place: Place,
  layout: RowLayout,
  { buffer: { shown } }: LogFeed,
  { height, head }: { height: number; head: number },
): number {
  const most = Math.max(0, head + layout.total - height);
  if (place.kind === 'end') return most;
  const at = shown.partition(({ id }) => id >= place.id);
  return Math.max(0, Math.min(most, head + layout.offset(at) + place.above));
}

/** Returns the position to which the user has scrolled. */
function placeAt(
  element: HTMLElement,
  head: number,
  layout: RowLayout,
  { buffer: { shown } }: LogFeed,
  before: Place,
): Place {
  const { scrollTop, scrollHeight, clientHeight } = element;
  if (scrollHeight - clientHeight - scrollTop <= AT_END_PX) return { kind: 'end' };
  const at = layout.at(scrollTop - head);
  const newest = before.kind === 'line' ? before.newest : (shown.last()?.id ?? 0);
  return { kind: 'line', id: shown.at(at)?.id ?? 0, above: scrollTop - head - layout.offset(at), newest };
}

/**
 * Measures only lines that may be higher than others and lines that were higher before. Reading a height forces a
 * layout in the middle of the frame.
 * @returns whether a line has another height than calculated
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
