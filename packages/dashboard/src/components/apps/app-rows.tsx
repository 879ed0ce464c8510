import { type App, bytes } from '@davit/api';
import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, memo, useDeferredValue } from 'react';
import { appPath, paths } from '../../paths.ts';
import { Status } from '../../ui/status.tsx';
import { percent, rate } from '../../util/amounts.ts';
import { usePainted } from '../../util/painted.ts';
import { servingOf } from './app-facts.ts';
import { useFigures } from './figures.ts';

/**
 * Number of table rows in the first render. Twelve rows fill most screens. All other rows are rendered after the
 * first paint.
 */
const AT_ONCE = 12;
const ROW_REM = 2.75;

const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_6.5rem_8rem_4rem_4rem_4rem_4.5rem]';
const HEADINGS = ['App', 'Status', 'Live', 'Replicas', 'Req/s', 'CPU', 'Memory'] as const;
const FIRST_OF_NUMBERS = HEADINGS.indexOf('Replicas');

/**
 * Renders a long list of apps. Plain links render faster than router components. CSS skips the layout of rows outside
 * the viewport.
 */
export function AppRows({ apps, label }: { apps: readonly App[]; label: string }) {
  const newest = useDeferredValue(apps);
  const shown = usePainted() ? newest : apps.slice(0, AT_ONCE);
  const follow = useLightLinks();
  return (
    <div>
      <div aria-hidden className={`${COLUMNS} border-b border-line px-3 pb-1.5 text-xs text-soft max-md:hidden`}>
        {HEADINGS.map((name, at) => (
          <span key={name} className={at >= FIRST_OF_NUMBERS ? 'text-right' : ''}>
            {name}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users press the links inside */}
      <ul aria-label={label} onClick={follow} className="divide-y divide-line">
        {shown.map((app) => (
          <AppRow key={app.reference} app={app} />
        ))}
        {/* The placeholder has the height of the rows that are not rendered yet. The browser needs the full height
            to restore the scroll position. */}
        {shown.length < apps.length && (
          <li aria-hidden style={{ height: `${(apps.length - shown.length) * ROW_REM}rem` }} />
        )}
      </ul>
    </div>
  );
}

/** Renders one app. All text is inside the link, so that screen readers read the row as one link. */
const AppRow = memo(function AppRow({ app }: { app: App }) {
  const path = appPath(app.reference);
  const serving = servingOf(app);
  return (
    <li className="[contain-intrinsic-size:auto_2.75rem] [content-visibility:auto]">
      <a href={paths.app(path)} className={`${COLUMNS} min-h-11 rounded-md px-3 py-1.5 text-sm hover:bg-sunken`}>
        <span className="min-w-0 truncate">
          <span className="text-soft">
            {path.project}/{path.environment}/
          </span>
          <span className="font-medium">{path.app}</span>
        </span>
        <Status of={app.status} />
        <span className="truncate font-mono text-xs">
          <Said what="live:">{app.live_tag ?? '—'}</Said>
          {app.pending_changes && <span className="ml-1.5 font-sans text-warning">changed</span>}
        </span>
        <span className="text-right tabular-nums">
          <Said what="serving:">{app.live_deployment === null ? '—' : `${serving} of ${app.scale}`}</Said>
        </span>
        <Figures app={app.reference} />
      </a>
    </li>
  );
});

/**
 * Renders a table value with a label for screen readers. The label replaces the column heading, which screen readers
 * do not read.
 */
function Said({ what, children }: { what: string; children: string }) {
  return (
    <>
      <span className="sr-only">, {what} </span>
      {children}
    </>
  );
}

function Figures({ app }: { app: string }) {
  const figures = useFigures(app);
  const requests = figures?.requests_per_s ?? null;
  return (
    <>
      <Figure what="requests a second:">{requests === null ? '—' : rate(requests)}</Figure>
      <Figure what="CPU:">{figures ? percent(figures.cpu_percent) : '—'}</Figure>
      <Figure what="memory:">{figures ? bytes(figures.memory_bytes) : '—'}</Figure>
    </>
  );
}

function Figure({ what, children }: { what: string; children: string }) {
  return (
    <span className="text-right text-soft tabular-nums max-md:hidden">
      <Said what={what}>{children}</Said>
    </span>
  );
}

/**
 * Returns a click handler that opens plain links without a page load. Clicks with a modifier key keep the browser's
 * default behavior.
 */
function useLightLinks() {
  const router = useRouter();
  return (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href: link.pathname });
  };
}
