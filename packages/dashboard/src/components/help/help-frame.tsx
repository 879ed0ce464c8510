import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { SkipLink } from '../../layout/skip-link.tsx';
import { paths } from '../../paths.ts';
import { HelpList } from './help-list.tsx';

/** Scrolls the list of pages until the link to the current page is visible. */
function showCurrent(list: Element | null): void {
  list?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
}

/**
 * Renders the frame of the help pages. Users can read the help without a session, for example if they cannot sign in.
 * @param here last part of the page's URL path; `undefined` on the list of pages
 */
export function HelpFrame({ title, here, children }: { title: string; here?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Davit`;
  }, [title]);
  return (
    <div className="min-h-dvh">
      <SkipLink />
      <header className="sticky top-0 z-30 flex h-12 items-center justify-between gap-3 border-b border-line bg-ground px-4 sm:px-6">
        <Link to={paths.help()} className="flex min-h-9 items-center gap-2.5 text-sm font-semibold">
          <img src="/icon.svg" alt="" width={24} height={24} className="shrink-0" />
          Davit help
        </Link>
        <Link to={paths.overview()} className="inline-flex min-h-9 items-center text-sm text-soft hover:text-text">
          Open dashboard
        </Link>
      </header>
      <div className="mx-auto flex w-full max-w-6xl gap-8 px-4 py-5 sm:px-6">
        {here !== undefined && (
          <nav
            ref={showCurrent}
            aria-label="Help pages"
            className="sticky top-17 max-h-[calc(100dvh-5rem)] w-60 shrink-0 self-start overflow-y-auto max-md:hidden"
          >
            <HelpList here={here} />
          </nav>
        )}
        <main id="main" tabIndex={-1} className="flex min-w-0 max-w-3xl flex-1 flex-col gap-5 outline-none">
          {children}
          {here !== undefined && (
            <p className="border-t border-line pt-4 text-sm md:hidden">
              <Link to={paths.help()} className="text-accent underline underline-offset-2">
                All help pages
              </Link>
            </p>
          )}
        </main>
      </div>
    </div>
  );
}
