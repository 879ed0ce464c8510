import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../util/part.ts';
import type { MenuItem } from './menu-item.ts';

type Trigger = ReactElement<Record<string, unknown>>;

const load = () => import('./menu-popup.tsx');
const MenuPopup = lazyPart(() => load().then((file) => file.MenuPopup));

export function Menu({ trigger, items }: { trigger: Trigger; items: readonly MenuItem[] }) {
  return (
    <OnDemand trigger={trigger} load={load}>
      <MenuPopup trigger={trigger} items={items} />
    </OnDemand>
  );
}

/**
 * Renders a menu button. The code of the menu is loaded on hover or focus, because most users never open the menu.
 * @param children open menu that replaces the button
 */
export function OnDemand({
  trigger,
  load,
  children,
}: {
  trigger: Trigger;
  load: () => Promise<unknown>;
  children: ReactNode;
}) {
  const [isWanted, setWanted] = useState(false);
  const near = () => void load().catch(() => undefined);
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: near,
    onFocus: near,
    onClick: () => setWanted(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      setWanted(true);
    },
  });
  if (!isWanted) return closed;
  return <Suspense fallback={closed}>{children}</Suspense>;
}
