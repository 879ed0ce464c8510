import { useRouterState } from '@tanstack/react-router';
import { MenuIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMedia } from '../util/media.ts';
import { lazyPart } from '../util/part.ts';
import { SidebarParts } from './sidebar-parts.tsx';

const SidebarDialog = lazyPart(() => import('./sidebar-dialog.tsx').then((file) => file.SidebarDialog));

/**
 * Media query for the screens that have space for the sidebar. The media query is the opposite of the CSS variant
 * `max-md`.
 */
const WIDE = '(width >= 48rem)';

/**
 * Renders the sidebar. On narrow screens, the sidebar is not rendered at all, because its links would delay the first
 * page.
 */
export function Sidebar() {
  if (!useMedia(WIDE)) return null;
  return (
    <aside
      aria-label="Sidebar"
      className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-r border-line bg-panel"
    >
      <SidebarParts />
    </aside>
  );
}

/**
 * Renders the button that opens the sidebar as a dialog on narrow screens. The dialog closes when the user opens
 * another page.
 */
export function SidebarButton() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === pathname;
  return (
    <>
      <button
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenedAt(pathname)}
        className="grid size-9 shrink-0 place-items-center rounded-md text-soft hover:bg-sunken hover:text-text md:hidden"
      >
        <MenuIcon className="size-5" aria-hidden />
      </button>
      <Suspense>{isOpen && <SidebarDialog onClose={() => setOpenedAt(null)} />}</Suspense>
    </>
  );
}
