import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useForbidden } from '../../layout/me.ts';
import { Page } from '../../layout/page.tsx';
import { type AppPath, paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { currentIntoView } from '../../ui/into-view.ts';
import { Notice } from '../../ui/notice.tsx';
import { Status } from '../../ui/status.tsx';
import { useAppPath } from '../../util/params.ts';
import { lazyPart } from '../../util/part.ts';
import { AppActions } from './app-actions.tsx';
import { useOpenForm } from './open-form.ts';
import { usePresent } from './use-present.ts';

/**
 * React component with the forms for an app. The browser loads the code of this component after it has loaded the page.
 */
const AppDialogs = lazyPart(() => import('./app-dialogs.tsx').then((file) => file.AppDialogs), { ahead: true });

type AppPage = (path: AppPath) => string;

const TABS: readonly (readonly [name: string, page: AppPage])[] = [
  ['Overview', paths.app],
  ['Deployments', paths.appDeployments],
  ['Terminal', paths.appTerminal],
  ['Logs', paths.appLogs],
  ['Variables', paths.appEnvironment],
  ['Settings', paths.appSettings],
];

/** Renders the frame of an app's pages. The frame contains the name, the status, the action buttons and the tabs. */
export function AppFrame({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  const path = useAppPath();
  const app = usePresent('getApp', { params: path });
  const isOpen = useOpenForm() !== null;
  return (
    <Page
      title={app.name}
      wide={wide}
      lead={
        <>
          <Status of={app.status} />
          <span className="text-soft">
            <Copyable text={app.reference} />
          </span>
        </>
      }
      actions={<AppActions app={app} />}
      tabs={<Tabs path={path} />}
    >
      {app.pending_changes && app.live_deployment !== null && <PendingChanges />}
      {children}
      <Suspense>{isOpen && <AppDialogs app={app} />}</Suspense>
    </Page>
  );
}

function Tabs({ path }: { path: AppPath }) {
  return (
    <nav aria-label="App" className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul ref={currentIntoView} className="flex min-w-max gap-1 border-b border-line">
        {TABS.map(([name, page]) => (
          <li key={name}>
            <Link
              to={page(path)}
              // On the page of a single deployment, the tab `Deployments` is marked as current.
              activeOptions={{ exact: page !== paths.appDeployments, includeSearch: false }}
              className="-mb-px flex min-h-9 items-center border-b-2 border-transparent px-2.5 text-sm text-soft hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PendingChanges() {
  const forbidden = useForbidden('operate');
  const deploy = (
    <ButtonLink to="." search={((before: Record<string, unknown>) => ({ ...before, deploy: '1' })) as never}>
      Deploy changes…
    </ButtonLink>
  );
  return (
    <Notice
      tone="warning"
      action={forbidden === null ? deploy : <Button disabledBecause={forbidden}>Deploy changes…</Button>}
    >
      Some changes of settings or variables are not deployed. They take effect with the next deployment.
    </Notice>
  );
}
