import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api.ts';
import { paths } from '../paths.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';

/** Renders the content of the sidebar. On narrow screens, this content is in a dialog. */
export function SidebarParts() {
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
          <Link to={paths.helpPage({ page: 'glossary' })} className="-my-1 inline-block py-1 hover:text-text">
            Glossary
          </Link>
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
