import type { MetricWindow } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { WINDOWS } from './metric-window.ts';

/**
 * Renders links that select the time window of the metric charts. The selected window is a query parameter of the URL.
 */
export function Windows({ current }: { current: MetricWindow }) {
  return (
    <nav aria-label="Time range">
      <ul className="flex rounded-md border border-line bg-panel p-0.5 text-sm">
        {WINDOWS.map((name) => (
          <li key={name}>
            <Link
              to="."
              search={((before: Record<string, unknown>) => ({ ...before, window: name })) as never}
              replace
              resetScroll={false}
              aria-current={name === current ? 'true' : undefined}
              className="block min-w-11 rounded px-2.5 py-1 text-center text-soft hover:text-text [&[aria-current]]:bg-sunken [&[aria-current]]:font-medium [&[aria-current]]:text-text"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
