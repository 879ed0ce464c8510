import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { currentIntoView } from '../../ui/into-view.ts';

const TABS = [
  { name: 'Databases', to: paths.databases() },
  { name: 'Backups', to: paths.backups() },
  { name: 'Tasks', to: paths.tasks() },
  { name: 'Trash', to: paths.databases(), search: { tab: 'trash' } },
] as const;

export type DataTab = (typeof TABS)[number]['name'];

export function DataTabs({ current }: { current: DataTab }) {
  return (
    <nav aria-label="Databases" className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul ref={currentIntoView} className="flex min-w-max gap-1 border-b border-line">
        {TABS.map(({ name, to, ...rest }) => (
          <li key={name}>
            <Link
              to={to}
              search={('search' in rest ? rest.search : {}) as never}
              // Compare the full URLs, because several tabs can have the same path and different query parameters.
              activeOptions={{ exact: true }}
              aria-current={name === current ? 'page' : undefined}
              className="-mb-px flex min-h-9 items-center border-b-2 border-transparent px-2.5 text-sm text-soft hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
