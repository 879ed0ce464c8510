import type { Permission } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { Boxes, Gauge, Lock, type LucideIcon, Package, ScrollText, Settings, ShieldCheck, Users } from 'lucide-react';
import { paths } from '../paths.ts';
import { WithReason } from '../ui/reason.tsx';
import { useForbidden } from './me.ts';

export interface Destination {
  name: string;
  to: string;
  icon: LucideIcon;
  /** What all of its page takes. */
  needs: Permission;
}

export const DESTINATIONS: readonly Destination[] = [
  { name: 'Overview', to: paths.overview(), icon: Gauge, needs: 'read' },
  { name: 'Projects', to: paths.projects(), icon: Boxes, needs: 'read' },
  { name: 'Registry', to: paths.registry(), icon: Package, needs: 'read' },
  { name: 'Certificates', to: paths.certificates(), icon: ShieldCheck, needs: 'read' },
  { name: 'Users', to: paths.users(), icon: Users, needs: 'administer' },
  { name: 'Audit', to: paths.audit(), icon: ScrollText, needs: 'administer' },
  { name: 'Settings', to: paths.settings(), icon: Settings, needs: 'read' },
];

const ITEM = 'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm';
const OPEN =
  'text-soft hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

/** Where everything is. What a role may not open stays in its place and says why. */
export function Navigation() {
  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-0.5">
        {DESTINATIONS.map((destination) => (
          <li key={destination.to}>
            <Item destination={destination} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Item({ destination: { name, to, icon: Icon, needs } }: { destination: Destination }) {
  const forbidden = useForbidden(needs);
  if (forbidden !== null) {
    return (
      <WithReason reason={forbidden}>
        <button type="button" aria-disabled className={`${ITEM} w-full text-soft`}>
          <Icon className="size-4 shrink-0" aria-hidden />
          <span className="flex-1 text-left">{name}</span>
          <Lock className="size-3.5 shrink-0" aria-hidden />
        </button>
      </WithReason>
    );
  }
  return (
    <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={`${ITEM} ${OPEN}`}>
      <Icon className="size-4 shrink-0" aria-hidden />
      {name}
    </Link>
  );
}
