import type { MetricWindow } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { query } from '../api.ts';
import { windowOf } from '../components/app/metric-window.ts';
import { loadPresent } from '../components/app/use-present.ts';
import { DatabaseActions } from '../components/databases/database-actions.tsx';
import { ENGINE_NAMES } from '../components/databases/database-draft.ts';
import { DATABASE_TABS, type DatabaseTab } from '../components/databases/database-tabs.ts';
import { DatabaseOverview } from '../components/databases/overview.tsx';
import { useDatabase } from '../components/databases/use-database.ts';
import type { Created } from '../components/tasks/creations.ts';
import { FailedCreation } from '../components/tasks/failed-creation.tsx';
import { OpenTask } from '../components/tasks/open-task.tsx';
import { loadCreated, useCreation } from '../components/tasks/use-creation.ts';
import { loadEarlier } from '../earlier.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import type { DatabasePath } from '../paths.ts';
import { Copyable } from '../ui/copy.tsx';
import { Notice } from '../ui/notice.tsx';
import { SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { Status } from '../ui/status.tsx';
import { useDatabasePath, useSearchText } from '../util/params.ts';
import { lazyPart } from '../util/part.ts';

const Backups = lazyPart(() =>
  import('../components/backups/database-backups.tsx').then((file) => file.DatabaseBackups),
);
const Charts = lazyPart(() => import('../components/databases/charts.tsx').then((file) => file.DatabaseCharts));
const Logs = lazyPart(() => import('../components/databases/logs.tsx').then((file) => file.DatabaseLogs));
const NewDatabase = lazyPart(() => import('../components/databases/new-database.tsx').then((file) => file.NewDatabase));
const Settings = lazyPart(() => import('../components/databases/settings.tsx').then((file) => file.DatabaseSettings));

export async function load({ queries, params, search }: LoadArgs<DatabasePath>): Promise<void> {
  const { project, environment, database } = params;
  const path = { params: { project, environment, database } };
  const window: MetricWindow = windowOf(search.window);
  const loaders: Record<DatabaseTab, () => unknown> = {
    overview: () => queries.ensureQueryData(query('listApps')),
    backups: () =>
      Promise.all([
        loadEarlier(queries, 'listDatabaseBackups', path, search.pages),
        queries.ensureQueryData(query('listBackupCoverage')),
      ]),
    metrics: () => queries.ensureQueryData(query('getDatabaseMetrics', { ...path, query: { window } })),
    logs: () => queries.fetchQuery({ ...query('getDatabaseLogs', path), staleTime: 0 }),
    settings: () => queries.ensureQueryData(query('listDatabaseEngines')),
  };
  const tab = tabOf(DATABASE_TABS, typeof search.tab === 'string' ? search.tab : null) ?? 'overview';
  const data = Promise.all([loadPresent(queries, 'getDatabase', path), loaders[tab]()]);
  await loadCreated(queries, resourceOf(path.params), data);
}

function resourceOf({ project, environment, database }: DatabasePath): Created {
  return { kind: 'database', name: `${project}/${environment}/${database}` };
}

export function Page() {
  const params = useDatabasePath();
  const resource = resourceOf(params);
  const answer = useQuery({ ...query('getDatabase', { params }), retryOnMount: false });
  const creation = useCreation(resource, answer);
  if (creation === null) return <Existing />;
  return (
    <FailedCreation
      name={params.database}
      creation={creation}
      form={(onClose) => <NewDatabase again={resource.name} onClose={onClose} />}
    />
  );
}

function Existing() {
  const { database } = useDatabase();
  const [text] = useSearchText('tab');
  const tab = tabOf(DATABASE_TABS, text);
  const { name, reference, engine, version, status, status_reason: why, task } = database;
  return (
    <Frame
      title={name}
      lead={
        <>
          <Status of={status} />
          <span className="text-sm text-soft">
            {ENGINE_NAMES[engine]} {version}
          </span>
          <span className="text-soft">
            <Copyable text={reference} />
          </span>
        </>
      }
      actions={<DatabaseActions />}
      tabs={<SearchTabs label="Database" tabs={DATABASE_TABS} current={tab} />}
    >
      {why !== null && <Notice tone={status === 'stopped' ? 'info' : 'warning'}>{why}</Notice>}
      <OpenTask id={task} />
      {tab === 'overview' && <DatabaseOverview />}
      <Suspense>
        {tab === 'backups' && <Backups />}
        {tab === 'metrics' && <Charts />}
        {tab === 'logs' && <Logs />}
        {tab === 'settings' && <Settings />}
      </Suspense>
    </Frame>
  );
}
