import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { GROUPS } from './pages.ts';

const LINK =
  'flex min-h-7 items-center rounded-md px-2 py-0.5 text-sm text-soft hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

/** Lists all help pages. */
export function HelpList({ here, className = 'flex flex-col gap-4' }: { here?: string; className?: string }) {
  return (
    <div className={className}>
      {GROUPS.map(({ title, pages }) => (
        <div key={title}>
          <p aria-hidden className="px-2 pb-1 text-xs font-medium text-soft">
            {title}
          </p>
          <ul aria-label={title} className="flex flex-col">
            {pages.map((page) => (
              <li key={page.name}>
                <Link
                  to={paths.helpPage({ page: page.name })}
                  aria-current={page.name === here ? 'page' : undefined}
                  className={LINK}
                >
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
