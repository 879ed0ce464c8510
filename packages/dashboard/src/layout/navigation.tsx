import { Link, useRouterState } from '@tanstack/react-router';
import { DESTINATIONS, type Destination, isUnderTab } from './destinations.ts';

const ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm text-soft hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

/**
 * Renders the links of the sidebar. The sidebar also links to pages that the user may not see. Such a page shows the
 * reason why the user may not see it.
 */
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

function Item({ destination }: { destination: Destination }) {
  const { name, to, icon: Icon } = destination;
  const isHere = useRouterState({ select: ({ location }) => isUnderTab(destination, location.pathname) });
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      aria-current={isHere ? 'page' : undefined}
      className={ITEM}
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      {name}
    </Link>
  );
}
