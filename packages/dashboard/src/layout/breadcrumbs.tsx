import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { Check, ChevronRight, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { query } from '../api.ts';
import { Spinner } from '../ui/spinner.tsx';
import { type Crumb, type Level, siblingsOf, trailOf } from './trail.ts';

const SAID: Record<Level, string> = { project: 'Projects', environment: 'Environments', app: 'Apps' };

/** Where one is, and what stands beside it at each level. */
export function Breadcrumbs() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const trail = trailOf(pathname);
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 flex-1">
      <ol className="flex items-center gap-0.5 overflow-hidden text-sm">
        {trail.map((crumb, i) => (
          // On a phone there is room for the last two.
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
            {crumb.level && <Siblings name={crumb.name} level={crumb.level} pathname={pathname} />}
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

function Siblings({ name, level, pathname }: { name: string; level: Level; pathname: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Menu.Root open={open} onOpenChange={setOpen}>
      <Menu.Trigger
        aria-label={`${SAID[level]} beside ${name}`}
        className="grid size-6 shrink-0 place-items-center rounded text-soft hover:bg-sunken hover:text-text data-[popup-open]:bg-sunken"
      >
        <ChevronsUpDown className="size-3.5" aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50">
          <Menu.Popup
            aria-label={SAID[level]}
            className="max-h-[min(24rem,70vh)] min-w-44 overflow-y-auto rounded-lg border border-line bg-panel p-1 shadow-float outline-none"
          >
            {open && <SiblingItems level={level} pathname={pathname} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The lists are read when the menu is opened: most pages need neither. */
function SiblingItems({ level, pathname }: { level: Level; pathname: string }) {
  const projects = useQuery(query('listProjects'));
  const apps = useQuery(query('listApps'));
  const error = projects.error ?? apps.error;
  if (error !== null) return <p className="max-w-60 px-2.5 py-1.5 text-sm text-error">{error.message}</p>;
  if (!projects.data || !apps.data) {
    return (
      <p className="px-2.5 py-1.5">
        <Spinner label="Loading" />
      </p>
    );
  }
  return siblingsOf(pathname, level, { projects: projects.data, apps: apps.data }).map(({ name, to, isHere }) => (
    <Menu.LinkItem
      key={name}
      closeOnClick
      render={<Link to={to} aria-current={isHere ? 'true' : undefined} />}
      className="flex min-h-8 items-center justify-between gap-4 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-sunken"
    >
      {name}
      {isHere && <Check className="size-4 text-accent" aria-hidden />}
    </Menu.LinkItem>
  ));
}
