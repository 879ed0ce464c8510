import { Dialog } from '@base-ui/react/dialog';
import { Link, useRouterState } from '@tanstack/react-router';
import { MenuIcon, X } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../api.ts';
import { paths } from '../paths.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';

/** Where there is room it stands beside every page. */
export function Sidebar() {
  return (
    <aside
      aria-label="Sidebar"
      className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-r border-line bg-panel max-md:hidden"
    >
      <SidebarParts />
    </aside>
  );
}

/** Where there is none it comes over the page. */
export function SidebarButton() {
  const { pathname } = useRouterState({ select: ({ location }) => location });
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  return (
    // Whoever goes somewhere else has chosen.
    <Dialog.Root open={openedAt === pathname} onOpenChange={(open) => setOpenedAt(open ? pathname : null)}>
      <Dialog.Trigger
        aria-label="Menu"
        className="grid size-9 shrink-0 place-items-center rounded-md text-soft hover:bg-sunken hover:text-text md:hidden"
      >
        <MenuIcon className="size-5" aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-64 max-w-[85vw] flex-col bg-panel shadow-float outline-none">
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Dialog.Close
            aria-label="Close"
            className="absolute top-2.5 right-2 grid size-9 place-items-center rounded-md text-soft hover:bg-sunken"
          >
            <X className="size-5" aria-hidden />
          </Dialog.Close>
          <SidebarParts />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SidebarParts() {
  const { domain, version } = useAnswer('getInstance');
  return (
    <>
      <Link to={paths.overview()} className="flex h-14 shrink-0 items-center gap-2.5 px-4">
        <img src="/icon.svg" alt="" width={24} height={24} className="shrink-0" />
        <span className="min-w-0 leading-tight">
          <span className="block text-[0.9375rem] font-semibold tracking-tight">Davit</span>
          <span className="block truncate text-xs text-soft" title={domain}>
            {domain}
          </span>
        </span>
      </Link>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 py-2">
        <Navigation />
      </div>
      <div className="border-t border-line p-2">
        <AccountMenu />
        <p className="flex justify-between px-2.5 pt-1 text-xs text-soft">
          Davit {version}
          <a
            href="/docs"
            target="_blank"
            rel="noreferrer"
            className="-my-1 inline-block py-1 hover:text-text sm:hidden"
          >
            API documentation
          </a>
        </p>
      </div>
    </>
  );
}
