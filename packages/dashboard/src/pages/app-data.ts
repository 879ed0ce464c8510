/**
 * Fetches the data of the most visited app pages. These functions are not in the files of the pages. The requests can
 * therefore begin while the browser still loads these files.
 */
import { query } from '../api.ts';
import { loadApp } from '../components/app/load-app.ts';
import { windowOf } from '../components/app/metric-window.ts';
import { loadEarlier } from '../earlier.ts';
import type { LoadArgs } from '../load-args.ts';
import type { AppPath } from '../paths.ts';

export async function loadAppOverview(args: LoadArgs<AppPath>): Promise<void> {
  const { queries, search } = args;
  const { project, environment, app: name } = args.params;
  const params = { project, environment, app: name };
  // Wait for all requests together. Otherwise, if the app does not exist, the browser would report unhandled errors.
  const [app, deployments] = await Promise.all([
    loadApp(args),
    queries.ensureQueryData(query('listDeployments', { params })),
    queries.ensureQueryData(query('listDomains', { params })),
    queries.ensureQueryData(query('listCertificates')),
    queries.ensureQueryData(query('getAppMetrics', { params, query: { window: windowOf(search.window) } })),
  ]);
  const live = app.live_deployment;
  if (live === null) {
    if (app.source === 'registry') await queries.ensureQueryData(query('getOwnRegistry'));
  } else if (!deployments.some(({ id }) => id === live)) {
    await queries.ensureQueryData(query('getDeployment', { params: { ...params, deployment: String(live) } }));
  }
}

export async function loadAppDeployments(args: LoadArgs<AppPath>): Promise<void> {
  const { queries, search } = args;
  const { project, environment, app: name } = args.params;
  const params = { project, environment, app: name };
  const [app] = await Promise.all([loadApp(args), loadEarlier(queries, 'listDeployments', { params }, search.pages)]);
  if (app.live_deployment === null && app.source === 'registry') {
    await queries.ensureQueryData(query('getOwnRegistry'));
  }
}

export async function loadAppLogs({ queries, params }: LoadArgs<AppPath>): Promise<void> {
  const { project, environment, app } = params;
  await Promise.all([
    loadApp({ queries, params }),
    queries.ensureQueryData(query('listDeployments', { params: { project, environment, app } })),
  ]);
}
