import { BookOpen, Search } from 'lucide-react';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import { SidebarButton } from './sidebar.tsx';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/**
 * Renders the bar at the top of every page. The bar contains breadcrumbs, the state of the event stream, and the
 * search.
 */
export function TopRail({ onSearch }: { onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-1.5 border-b border-line bg-ground px-2 sm:gap-2 sm:px-4">
      <SidebarButton />
      <Breadcrumbs />
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        className="flex min-h-8 items-center gap-2 rounded-md px-2 text-sm text-soft hover:text-text max-sm:min-h-9 sm:border sm:border-line sm:bg-panel sm:hover:border-edge"
      >
        <Search className="size-4" aria-hidden />
        <span className="max-lg:sr-only">Search…</span>
        <kbd aria-hidden className="font-sans text-xs max-sm:hidden">
          {isMac ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      <LiveIndicator />
      <a
        href="/docs"
        target="_blank"
        rel="noreferrer"
        aria-label="API documentation, in a new tab"
        className="grid size-9 shrink-0 place-items-center rounded-md text-soft hover:bg-sunken hover:text-text max-sm:hidden"
      >
        <BookOpen className="size-4" aria-hidden />
      </a>
    </header>
  );
}
