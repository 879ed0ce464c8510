import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect } from 'react';
import { trailOf } from './trail.ts';

/**
 * Returns the title of the browser tab. The most specific part of the title comes first, such as `Logs · web · Davit`.
 */
function documentTitle(title: string, pathname: string): string {
  const { name } = trailOf(pathname).at(-1) ?? { name: title };
  return [...new Set([name, title, 'Davit'])].join(' · ');
}

export function Page({
  title,
  lead,
  actions,
  tabs,
  children,
  wide = false,
}: {
  title: string;
  /** Content next to the page title, such as a status or an id. */
  lead?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  children: ReactNode;
  /** Whether the page uses the full width of the window, for example for logs or a terminal. Default: `false`. */
  wide?: boolean;
}) {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // Set the title of the browser tab before the browser paints the new page.
  useLayoutEffect(() => {
    document.title = documentTitle(title, pathname);
  }, [title, pathname]);
  return (
    <div className={`mx-auto flex w-full flex-col gap-5 px-4 py-5 sm:px-6 ${wide ? '' : 'max-w-6xl'}`}>
      <header className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 *:min-w-0 *:max-w-full">
            <h1 tabIndex={-1} className="min-w-0 text-xl break-words outline-none">
              {title}
            </h1>
            {lead}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {tabs}
      </header>
      {children}
    </div>
  );
}
