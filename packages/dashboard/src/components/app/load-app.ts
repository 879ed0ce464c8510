import type { App } from '@davit/api';
import type { LoadArgs } from '../../load-args.ts';
import type { AppPath } from '../../paths.ts';
import { loadPresent } from './use-present.ts';

/** Fetches the app for the page header. The route loaders of all app pages call this function. */
export async function loadApp({ queries, params }: Pick<LoadArgs<AppPath>, 'queries' | 'params'>): Promise<App> {
  const { project, environment, app } = params;
  return loadPresent(queries, 'getApp', { params: { project, environment, app } });
}
