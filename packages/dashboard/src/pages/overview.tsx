import type { App } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { query, useAnswer } from '../api.ts';
import { AppsCard } from '../components/overview/apps-card.tsx';
import { Counts } from '../components/overview/counts.tsx';
import { exampleOf } from '../components/overview/example-app.ts';
import { FirstSteps } from '../components/overview/first-steps.tsx';
import { Machine } from '../components/overview/machine.tsx';
import { RecentDeployments } from '../components/overview/recent-deployments.tsx';
import { TroubleList } from '../components/overview/trouble-list.tsx';
import { troublesOf } from '../components/overview/troubles.ts';
import { NewButtons, NewDialogs } from '../components/projects/new-dialogs.tsx';
import { NEWEST_TASKS } from '../components/tasks/creations.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { useNow } from '../ui/time.tsx';
import { useLowerParts } from '../util/lower.ts';
import { usePainted } from '../util/painted.ts';
import { lazyPart } from '../util/part.ts';

/**
 * React component for the list of databases. The browser loads the code of this component only if a database exists.
 */
const DatabasesCard = lazyPart(() =>
  import('../components/overview/databases-card.tsx').then((file) => file.DatabasesCard),
);

/**
 * React component about the example app. The browser loads the code of this component only if the example app exists.
 */
const ExampleCard = lazyPart(() => import('../components/overview/example-card.tsx').then((file) => file.ExampleCard));

/**
 * Query for the last 100 deployments of all apps. The page lists only some of these deployments, but searches all 100
 * for failed deployments.
 */
const DEPLOYMENTS = query('listRecentDeployments', { query: { limit: '100' } });

/**
 * Fetches the data that the page needs first. All other requests begin when the page is shown. A browser has only six
 * connections to a server, so more requests would delay the first data on a slow network.
 */
export async function load({ queries }: LoadArgs): Promise<void> {
  await Promise.all([
    queries.ensureQueryData(query('listApps')),
    queries.ensureQueryData(query('listProjects')),
    queries.ensureQueryData(DEPLOYMENTS),
  ]);
}

export function Page() {
  const apps = useAnswer('listApps');
  const projects = useAnswer('listProjects');
  const deployments = useAnswer('listRecentDeployments', { query: { limit: '100' } });
  const [isChecked, setChecked] = useState(false);
  const onChecked = useCallback(() => setChecked(true), []);
  /*
   * The list of problems grows until all parts of the instance are checked. Show the cards below the list later, so
   * that the list does not move them.
   */
  const lower = useLowerParts(2, isChecked);
  const isEmpty = apps.length === 0;
  return (
    <Frame title="Overview" actions={<NewButtons />}>
      <Counts apps={apps} projects={projects} />
      <WhatIsWrong onChecked={onChecked} />
      {lower >= 1 && (
        <>
          <Machine />
          {isEmpty && <FirstSteps project={projects[0]?.slug ?? null} />}
          {!isEmpty && <RecentDeployments deployments={deployments} />}
        </>
      )}
      {lower >= 2 && (
        <>
          {!isEmpty && <AppsCard apps={apps} />}
          {!isEmpty && <Example apps={apps} />}
          <Databases />
        </>
      )}
      <NewDialogs />
    </Frame>
  );
}

function Example({ apps }: { apps: readonly App[] }) {
  const example = exampleOf(apps);
  return <Suspense>{example && <ExampleCard app={example} />}</Suspense>;
}

function Databases() {
  const databases = useQuery(query('listDatabases')).data ?? [];
  return <Suspense>{databases.length > 0 && <DatabasesCard databases={databases} />}</Suspense>;
}

/** @param onChecked callback that is called after all parts of the instance have been checked */
function WhatIsWrong({ onChecked }: { onChecked: () => void }) {
  const apps = useAnswer('listApps');
  const instance = useAnswer('getInstance');
  const deployments = useAnswer('listRecentDeployments', { query: { limit: '100' } });
  // Send these requests after the first paint, because the requests would delay the first paint.
  const enabled = usePainted();
  const later = {
    registry: useQuery({ ...query('getOwnRegistry'), enabled }),
    certificates: useQuery({ ...query('listCertificates'), enabled }),
    databases: useQuery({ ...query('listDatabases'), enabled }),
    objectStores: useQuery({ ...query('listObjectStores'), enabled }),
    installs: useQuery({ ...query('listTemplateInstalls'), enabled }),
    tasks: useQuery({ ...query('listTasks', NEWEST_TASKS), enabled }),
  };
  const now = useNow();
  const answers = Object.values(later);
  const troubles = troublesOf({
    ...{ apps, instance, deployments, now },
    loadError: answers.find(({ isLoadingError }) => isLoadingError)?.error,
    registry: later.registry.data,
    certificates: later.certificates.data,
    databases: later.databases.data,
    objectStores: later.objectStores.data,
    installs: later.installs.data,
    tasks: later.tasks.data,
  });
  const isComplete = answers.every(({ isPending }) => !isPending);
  useEffect(() => {
    if (isComplete) onChecked();
  }, [isComplete, onChecked]);
  return <TroubleList troubles={troubles} isComplete={isComplete} />;
}
