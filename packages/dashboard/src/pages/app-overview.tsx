import { query, useAnswer } from '../api.ts';
import { Addresses } from '../components/app/addresses-card.tsx';
import { AppCharts } from '../components/app/app-charts.tsx';
import { AppFrame, loadApp } from '../components/app/app-frame.tsx';
import { LastFailed } from '../components/app/last-failed.tsx';
import { LiveRelease } from '../components/app/live-release.tsx';
import { windowOf } from '../components/app/metric-window.ts';
import { NeverDeployed } from '../components/app/never-deployed.tsx';
import { Replicas } from '../components/app/replicas-card.tsx';
import { UnderWay } from '../components/app/under-way.tsx';
import type { LoadArgs } from '../load-args.ts';
import type { AppPath } from '../paths.ts';
import { useAppPath } from '../util/params.ts';

export async function load(args: LoadArgs<AppPath>) {
  const { queries, search } = args;
  const { project, environment, app: name } = args.params;
  const params = { project, environment, app: name };
  // Wait for all requests together. Otherwise, the errors of a missing app would be reported as unhandled.
  const [app] = await Promise.all([
    loadApp(args),
    queries.ensureQueryData(query('listDomains', { params })),
    queries.ensureQueryData(query('listCertificates')),
    queries.ensureQueryData(query('listDeployments', { params })),
    queries.ensureQueryData(query('getAppMetrics', { params, query: { window: windowOf(search.window) } })),
  ]);
  const live = app.live_deployment;
  if (live !== null) {
    await queries.ensureQueryData(query('getDeployment', { params: { ...params, deployment: String(live) } }));
  } else if (app.source === 'registry') await queries.ensureQueryData(query('getOwnRegistry'));
}

/**
 * CSS classes for the cards on the overview page of an app that was never deployed. The cards get the same width as the
 * deployment instructions on this page.
 */
const NARROW = 'mx-auto w-full max-w-xl';

/** Renders the overview page of an app: addresses, live release, requests and resource usage. */
export function Page() {
  const app = useAnswer('getApp', { params: useAppPath() });
  const live = app.live_deployment;
  return (
    <AppFrame>
      <UnderWay />
      <LastFailed />
      {live === null && app.replicas.length === 0 && <NeverDeployed app={app} />}
      <div className={live === null ? NARROW : 'grid grid-cols-1 gap-3 lg:grid-cols-2'}>
        {live !== null && <LiveRelease app={app} live={live} />}
        <Addresses app={app} />
      </div>
      {live !== null && <AppCharts />}
      {(live !== null || app.replicas.length > 0) && <Replicas app={app} />}
    </AppFrame>
  );
}
