import { type Deployment, operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import {
  cancelDeployment,
  deployApp,
  getDeployment,
  listDeployments,
  planDeploy,
  rollBackApp,
} from '../../core/deployments.ts';
import { type Binding, bind, ok, type Reply } from '../bind.ts';

export const deploymentRoutes = (core: Core): Binding[] => [
  bind(operations.deployApp, async ({ ctx, target, query, body }) => {
    if (query.dry_run) return ok(await planDeploy(core, ctx, target, body));
    return begun(await deployApp(core, ctx, target, body, query.wait ?? false), query.wait);
  }),
  bind(operations.rollBackApp, async ({ ctx, target, query, body }) =>
    begun(await rollBackApp(core, ctx, target, body, query.wait ?? false), query.wait),
  ),
  bind(operations.listDeployments, ({ target, query }) => {
    const { deployments, next } = listDeployments(core, target, query);
    if (next === null) return ok(deployments);
    const limit = query.limit === undefined ? '' : `&limit=${query.limit}`;
    const link = `</api/apps/${target.reference}/deployments?cursor=${next}${limit}>; rel="next"`;
    return { status: 200, body: deployments, headers: { link } };
  }),
  bind(operations.getDeployment, async ({ ctx, target, query }) =>
    ok(await getDeployment(core, ctx, target, query.wait ?? false)),
  ),
  bind(operations.cancelDeployment, async ({ ctx, target }) => ok(await cancelDeployment(core, ctx, target))),
];

/** Who waited gets the record as it ended; who did not, where to look. */
function begun(deployment: Deployment, waited: boolean | undefined): Reply {
  const location = `/api/apps/${deployment.app}/deployments/${deployment.id}`;
  return { status: waited ? 200 : 202, body: deployment, headers: { location } };
}
