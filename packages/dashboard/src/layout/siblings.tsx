import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { query } from '../api.ts';
import { Spinner } from '../ui/spinner.tsx';
import { type Level, siblingsOf } from './trail.ts';

/**
 * Renders the menu of a breadcrumb. The menu lists the resources on the same level, for example the other apps of the
 * environment.
 */
export function Siblings({
  trigger,
  label,
  level,
  pathname,
}: {
  trigger: ReactElement<Record<string, unknown>>;
  label: string;
  level: Level;
  pathname: string;
}) {
  const [open, setOpen] = useState(true);
  return (
    <Menu.Root open={open} onOpenChange={setOpen}>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50">
          <Menu.Popup
            aria-label={label}
            className="max-h-[min(24rem,70vh)] min-w-44 overflow-y-auto rounded-lg border border-line bg-panel p-1 shadow-float outline-none"
          >
            {open && <SiblingItems level={level} pathname={pathname} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/**
 * Renders the items of the menu. The lists of projects and apps are fetched when the menu opens, because most pages do
 * not need both lists.
 */
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
