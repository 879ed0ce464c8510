import { grouped } from '@davit/api';
import { ChevronDown, ChevronUp, ListFilter, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import type { LogFeed } from './log-feed.ts';
import type { LogAddress, SetLogAddress } from './use-log-address.ts';
import { useSlash } from './use-log-keys.ts';

/**
 * Delay in milliseconds before the typed search text is written to the URL. The delay avoids a render of the router for
 * each typed letter.
 */
const PAUSE_MS = 200;

export interface FindFieldProps {
  feed: LogFeed;
  address: LogAddress;
  set: SetLogAddress;
  current: number | null;
  onFind: (direction: 1 | -1) => void;
}

/**
 * Renders the search field of the log page. While the user types, the field searches the log lines that the browser has
 * loaded. A button searches all log lines on the server.
 */
export function FindField({ feed, address, set, current, onFind }: FindFieldProps) {
  const field = useSlash();
  const [text, setText] = useState(address.find || (address.filter.q ?? ''));
  useEffect(() => {
    feed.seek(text);
    if (text === address.find || (address.find === '' && text === address.filter.q)) return;
    const timer = setTimeout(() => set({ find: text || null }), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const isFiltered = address.filter.q !== null && address.filter.q === text;
  const filter = () => set({ q: isFiltered ? null : text.slice(0, 200) });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('');
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) filter();
    else if (event.key === 'Enter') onFind(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <search className="flex min-w-0 flex-1 basis-72 items-center gap-1">
      <div className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md border border-edge/70 bg-panel px-2.5 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        <Search className="size-4 shrink-0 text-soft" aria-hidden />
        <input
          ref={field}
          aria-label="Search log lines"
          aria-keyshortcuts="/"
          placeholder="Search ( / )"
          autoComplete="off"
          spellCheck={false}
          value={text}
          maxLength={1_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-soft"
        />
        {text !== '' && (
          <span role="status" className="shrink-0 text-xs text-soft tabular-nums">
            {countOf(feed, current)}
          </span>
        )}
      </div>
      <IconButton label="Previous match (N, Shift+Enter)" onClick={() => onFind(-1)} disabledBecause={none(feed)}>
        <ChevronUp className="size-4" aria-hidden />
      </IconButton>
      <IconButton label="Next match (n, Enter)" onClick={() => onFind(1)} disabledBecause={none(feed)}>
        <ChevronDown className="size-4" aria-hidden />
      </IconButton>
      <IconButton
        label="Filter all stored lines by this text (Ctrl+Enter)"
        aria-pressed={isFiltered}
        onClick={filter}
        disabledBecause={text === '' ? 'Enter a search text first.' : null}
        className={isFiltered ? 'bg-accent-soft text-accent' : ''}
      >
        <ListFilter className="size-4" aria-hidden />
      </IconButton>
    </search>
  );
}

function none({ finder }: LogFeed): string | null {
  return finder.count === 0 ? 'No matches in the loaded lines.' : null;
}

function countOf({ finder }: LogFeed, current: number | null): string {
  if (finder.count === 0) return finder.isDone ? 'none' : '…';
  const position = finder.placeOf(current);
  return `${position > 0 ? `${grouped(position)} of ` : ''}${grouped(finder.count)}`;
}
