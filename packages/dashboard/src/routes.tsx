/**
 * Defines the routes of the dashboard. A page module exports a component. A page module can also export `load`, which
 * fetches data before the page renders.
 */

import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { queryClient } from './api.ts';
import { Failed } from './layout/failed.tsx';
import { NotFound } from './layout/not-found.tsx';
import { fetchFrameData, loadShell, Shell } from './layout/shell.tsx';
import type { LoadArgs } from './load-args.ts';
import { loadAppDeployments, loadAppLogs, loadAppOverview } from './pages/app-data.ts';
import * as overview from './pages/overview.tsx';
import { wasSignedIn } from './signed-in.ts';
import { firstPageIsShown } from './util/first-page.ts';
import { beginAhead, loadPart } from './util/part.ts';
import { parseSearch, stringifySearch } from './util/search.ts';

export interface RouterContext {
  queries: QueryClient;
}

interface Page {
  Page: () => React.ReactNode;
  // The route parameters differ from page to page. The type `never` allows a loader function with any route parameters.
  load?: (args: LoadArgs<never>) => unknown;
}

type Load = NonNullable<Page['load']>;

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/**
 * Map from route path to the function that imports the page module. With this map, the page module can load while the
 * session is being checked.
 */
const files = new Map<string, () => Promise<Page>>();

/**
 * Map from route path to the function that fetches the data of the page. The map contains only pages whose module does
 * not export `load`.
 */
const loads = new Map<string, Load>();

/** Parent route of all pages that need a signed-in user. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  // Check the session before the pages load. Otherwise, each rejected request would redirect to the sign-in page.
  beforeLoad: ({ context, location, matches }) => {
    // Load the page module early. Errors are ignored here, because the route loader of the page reports them.
    void files
      .get(matches.at(-1)?.fullPath ?? '')?.()
      .catch(() => undefined);
    return loadShell(context.queries, location.href);
  },
  errorComponent: Failed,
});

/**
 * Fetches the module and the data of a page. If `loads` contains the page, the module and the data are fetched at the
 * same time.
 */
async function loadPage(path: string, file: () => Promise<Page>, args: LoadArgs<never>): Promise<void> {
  // Request the data before the module, because the browser has only six connections for all files and requests.
  const data = loads.get(path)?.(args);
  const [{ load }] = await Promise.all([file(), data]);
  await load?.(args);
}

/** @param ahead fetches the data of the page, if the page module does not export `load` */
function page<const Path extends string>(
  parent: typeof shell | typeof root,
  path: Path,
  load: () => Promise<Page>,
  ahead?: Load,
) {
  const file = () => loadPart(load);
  files.set(path, file);
  if (ahead) loads.set(path, ahead);
  return createRoute({
    getParentRoute: () => parent as typeof shell,
    path,
    // Accept all query parameters of the URL. Each page reads only the query parameters that it supports.
    validateSearch: (search: Record<string, unknown>) => search,
    loaderDeps: ({ search }) => ({ search }),
    loader: ({ context, params, deps }) =>
      loadPage(path, file, { queries: context.queries, params: params as never, search: deps.search }),
    component: lazyRouteComponent(file as never, 'Page' as never),
    errorComponent: Failed,
  });
}

const app = '/projects/$project/$environment/$app';

const routeTree = root.addChildren([
  page(root, '/claim', () => import('./pages/claim.tsx')),
  page(root, '/sign-in', () => import('./pages/sign-in.tsx')),
  page(root, '/oauth/authorize', () => import('./pages/authorize.tsx')),
  // The help pages need no session, because users who cannot sign in also need help.
  page(root, '/help', () => import('./pages/help.tsx')),
  page(root, '/help/$page', () => import('./pages/help-page.tsx')),
  shell.addChildren([
    // Include the overview page in the main JavaScript file, because most visits start on this page.
    page(shell, '/', async () => overview),
    page(shell, '/projects', () => import('./pages/projects.tsx')),
    page(shell, '/projects/$project', () => import('./pages/project.tsx')),
    page(shell, '/projects/$project/settings', () => import('./pages/project-settings.tsx')),
    page(shell, '/projects/$project/$environment', () => import('./pages/environment.tsx')),
    page(shell, '/projects/$project/$environment/settings', () => import('./pages/environment-settings.tsx')),
    page(shell, app, () => import('./pages/app-overview.tsx'), loadAppOverview),
    page(shell, `${app}/deployments`, () => import('./pages/app-deployments.tsx'), loadAppDeployments),
    page(shell, `${app}/deployments/$deployment`, () => import('./pages/app-deployment.tsx')),
    page(shell, `${app}/logs`, () => import('./pages/app-logs.tsx'), loadAppLogs),
    page(shell, `${app}/terminal`, () => import('./pages/app-terminal.tsx')),
    page(shell, `${app}/environment`, () => import('./pages/app-environment.tsx')),
    page(shell, `${app}/settings`, () => import('./pages/app-settings.tsx')),
    page(shell, '/databases', () => import('./pages/databases.tsx')),
    page(shell, '/databases/$project/$environment/$database', () => import('./pages/database.tsx')),
    page(shell, '/backups', () => import('./pages/backups.tsx')),
    page(shell, '/object-stores', () => import('./pages/object-stores.tsx')),
    page(shell, '/object-stores/$object_store', () => import('./pages/object-store.tsx')),
    page(shell, '/tasks', () => import('./pages/tasks.tsx')),
    page(shell, '/tasks/$task', () => import('./pages/task.tsx')),
    page(shell, '/templates', () => import('./pages/templates.tsx')),
    page(shell, '/templates/$owner/$name', () => import('./pages/template.tsx')),
    page(shell, '/installs', () => import('./pages/installs.tsx')),
    page(shell, '/installs/$install', () => import('./pages/install.tsx')),
    page(shell, '/registry', () => import('./pages/registry.tsx')),
    page(shell, '/certificates', () => import('./pages/certificates.tsx')),
    page(shell, '/users', () => import('./pages/users.tsx')),
    page(shell, '/users/$user', () => import('./pages/user.tsx')),
    page(shell, '/audit', () => import('./pages/audit.tsx')),
    page(shell, '/settings', () => import('./pages/settings.tsx')),
    page(shell, '/account', () => import('./pages/account.tsx')),
    createRoute({ getParentRoute: () => shell, path: '$', component: NotFound }),
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  context: { queries: queryClient },
  defaultPreload: 'intent',
  // The value 0 turns off the cache of the router. TanStack Query decides whether cached data is still fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 300,
});

router.subscribe('onRendered', () => {
  firstPageIsShown();
  beginAhead();
});

/**
 * Requests the data of the first page before the router renders. If the request fails, the route loader of the page
 * reports the error.
 */
export async function loadAhead(): Promise<void> {
  const { pathname, search } = router.latestLocation;
  const [matched, params] = router.getMatchedRoutes(pathname);
  const path = matched.at(-1)?.fullPath ?? '';
  const file = files.get(path);
  if (file === undefined || !matched.includes(shell as never)) return;
  const load = () => loadPage(path, file, { queries: queryClient, params: params as never, search });
  const frame = fetchFrameData(queryClient);
  if (wasSignedIn()) await Promise.all([frame, load()]);
  else {
    // Load only the page module now. Without a session, the server would reject requests for data.
    await Promise.all([frame, file()]);
    await load();
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
