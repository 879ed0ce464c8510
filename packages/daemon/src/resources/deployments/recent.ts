import type { Deployment, DeploymentStatus } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { deploymentById } from '../../db/tables/deployment.ts';
import { recentDeployments } from '../../db/tables/recent-deployment.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import type { DeploymentsDeps } from './deps.ts';
import { presentDeployment } from './record.ts';

/**
 * Returns a page of the deployments of all apps that the user can see, newest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listRecentDeployments(
  core: DeploymentsDeps,
  ctx: OpContext,
  query: PageQuery & { status?: DeploymentStatus | undefined },
): Page<Deployment> {
  const { store } = core;
  const status = query.status ?? null;
  const read = (limit: number, before: number | null) =>
    recentDeployments(store, ctx.actor.projects, { limit, before, status }).flatMap(({ id, app, live }) => {
      const row = deploymentById(store, id);
      return row === undefined ? [] : [{ row, app, live }];
    });
  const page = numberedPage(query, ({ row }) => row.id, read);
  return mapPage(page, ({ row, app, live }) => presentDeployment(core, ctx, row, app, live));
}
