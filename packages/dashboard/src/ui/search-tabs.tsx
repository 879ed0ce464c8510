import { Link } from '@tanstack/react-router';

export interface SearchTab<V extends string> {
  value: V;
  label: string;
}

/** The tab of the address; one that there is not is the first. */
export function tabOf<V extends string>(tabs: readonly SearchTab<V>[], text: string | null): V | undefined {
  return (tabs.find(({ value }) => value === text) ?? tabs[0])?.value;
}

/** Parts of one page, each with an address of its own: `?tab=roles`. Nothing else of the address stays. */
export function SearchTabs<V extends string>({
  label,
  name = 'tab',
  tabs,
  current,
}: {
  label: string;
  name?: string;
  tabs: readonly SearchTab<V>[];
  current: V | undefined;
}) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="flex min-w-max gap-1 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab.value}>
            <Link
              to="."
              search={{ [name]: tab.value } as never}
              aria-current={tab.value === current ? 'page' : undefined}
              className="-mb-px flex min-h-9 items-center border-b-2 border-transparent px-2.5 text-sm text-soft hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
