import { useAnswer } from '../api.ts';
import { Addresses } from '../components/app/addresses-card.tsx';
import { AppCharts } from '../components/app/app-charts.tsx';
import { AppFrame } from '../components/app/app-frame.tsx';
import { LastFailed } from '../components/app/last-failed.tsx';
import { LiveRelease } from '../components/app/live-release.tsx';
import { NeverDeployed } from '../components/app/never-deployed.tsx';
import { Replicas } from '../components/app/replicas-card.tsx';
import { UnderWay } from '../components/app/under-way.tsx';
import { useLowerParts } from '../util/lower.ts';
import { usePainted } from '../util/painted.ts';
import { useAppPath } from '../util/params.ts';

/**
 * CSS classes for the cards on the overview page of an app that was never deployed. The cards have the same width as
 * the deployment instructions on this page.
 */
const NARROW = 'mx-auto w-full max-w-xl';

/** Renders the overview page of an app. The page shows addresses, the live release, requests and resource usage. */
export function Page() {
  const app = useAnswer('getApp', { params: useAppPath() });
  const live = app.live_deployment;
  const lower = useLowerParts(2, usePainted());
  return (
    <AppFrame>
      <UnderWay />
      <LastFailed />
      {live === null && app.replicas.length === 0 && <NeverDeployed app={app} />}
      <div className={live === null ? NARROW : 'grid grid-cols-1 gap-3 lg:grid-cols-2'}>
        {live !== null && <LiveRelease app={app} live={live} />}
        <Addresses app={app} />
      </div>
      {lower >= 1 && live !== null && <AppCharts />}
      {lower >= 2 && (live !== null || app.replicas.length > 0) && <Replicas app={app} />}
    </AppFrame>
  );
}
