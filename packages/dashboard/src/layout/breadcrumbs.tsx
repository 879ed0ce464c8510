import { Link, useRouterState } from '@tanstack/react-router';
import { ChevronRight, ChevronsUpDown } from 'lucide-react';
import { OnDemand } from '../ui/menu.tsx';
import { lazyPart } from '../util/part.ts';
import { type Crumb, type Level, trailOf } from './trail.ts';

const SAID: Record<Level, string> = { project: 'Projects', environment: 'Environments', app: 'Apps' };

const load = () => import('./siblings.tsx');
const Siblings = lazyPart(() => load().then((file) => file.Siblings));

/**
 * Renders the breadcrumbs of the current page. The breadcrumb of a project, environment or app has a menu with its
 * siblings.
 */
export function Breadcrumbs() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const trail = trailOf(pathname);
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 flex-1">
      <ol className="flex items-center gap-0.5 overflow-hidden text-sm">
        {trail.map((crumb, i) => (
          // On narrow screens, show only the last two breadcrumbs, because there is no space for the others.
          <li
            key={crumb.to}
            className={`flex min-w-0 items-center gap-0.5 ${i < trail.length - 2 ? 'max-sm:hidden' : ''} ${i === trail.length - 1 ? '' : 'max-w-1/2 shrink-0'}`}
          >
            {i > 0 && (
              <ChevronRight
                className={`size-3.5 shrink-0 text-soft ${i === trail.length - 2 ? 'max-sm:hidden' : ''}`}
                aria-hidden
              />
            )}
            <CrumbLink crumb={crumb} isLast={i === trail.length - 1} />
            {crumb.level && <SiblingMenu name={crumb.name} level={crumb.level} pathname={pathname} />}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function CrumbLink({ crumb, isLast }: { crumb: Crumb; isLast: boolean }) {
  return (
    <Link
      to={crumb.to}
      aria-current={isLast ? 'page' : undefined}
      className={`inline-flex min-h-7 min-w-6 items-center truncate rounded px-1.5 hover:bg-sunken ${isLast ? 'font-medium' : 'text-soft hover:text-text'}`}
    >
      <span className="truncate">{crumb.name}</span>
    </Link>
  );
}

function SiblingMenu({ name, level, pathname }: { name: string; level: Level; pathname: string }) {
  const trigger = (
    <button
      type="button"
      aria-label={`Switch ${level}, now ${name}`}
      className="grid size-6 shrink-0 place-items-center rounded text-soft hover:bg-sunken hover:text-text data-[popup-open]:bg-sunken"
    >
      <ChevronsUpDown className="size-3.5" aria-hidden />
    </button>
  );
  return (
    <OnDemand trigger={trigger} load={load}>
      <Siblings trigger={trigger} label={SAID[level]} level={level} pathname={pathname} />
    </OnDemand>
  );
}
