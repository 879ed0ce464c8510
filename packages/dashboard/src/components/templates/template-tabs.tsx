import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';

const PAGES = [
  ['Catalog', paths.templates()],
  ['Installed', paths.installs()],
] as const;

export function TemplateTabs() {
  return (
    <nav aria-label="Templates">
      <ul className="flex gap-1 border-b border-line">
        {PAGES.map(([name, to]) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
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
