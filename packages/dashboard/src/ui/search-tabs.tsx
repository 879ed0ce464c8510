import { Link } from '@tanstack/react-router';
import { intoView } from './into-view.ts';

export interface SearchTab<V extends string> {
  value: V;
  label: string;
}

/** Returns the tab that the URL names. Returns the first tab if the URL names no tab or an unknown tab. */
export function tabOf<V extends string>(tabs: readonly SearchTab<V>[], text: string | null): V | undefined {
  return (tabs.find(({ value }) => value === text) ?? tabs[0])?.value;
}

const LINK =
  'flex items-center px-2.5 text-sm text-soft hover:text-text aria-[current=page]:font-medium aria-[current=page]:text-text';
const TAB = `${LINK} -mb-px min-h-9 border-b-2 border-transparent aria-[current=page]:border-accent`;
const TAB_WITHIN = `${LINK} min-h-8 rounded-md hover:bg-sunken aria-[current=page]:bg-sunken`;

/**
 * Renders the tabs of a page. Each tab has a URL such as `?tab=roles`. When the user selects a tab, all other query
 * parameters are removed.
 */
export function SearchTabs<V extends string>({
  label,
  name = 'tab',
  tabs,
  current,
  within = false,
}: {
  label: string;
  name?: string;
  tabs: readonly SearchTab<V>[];
  current: V | undefined;
  /** Whether the tabs are a second row of tabs below another row. Default: `false`. */
  within?: boolean;
}) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className={`flex min-w-max gap-1 ${within ? '' : 'border-b border-line'}`}>
        {tabs.map((tab) => (
          <li key={tab.value} ref={tab.value === current ? intoView : undefined}>
            <Link
              to="."
              search={{ [name]: tab.value } as never}
              aria-current={tab.value === current ? 'page' : undefined}
              className={within ? TAB_WITHIN : TAB}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
