import { operations } from '@davit/api';
import {
  cancelDeployment,
  deleteDeployment,
  deployApp,
  listDeployments,
  planDeploy,
  planRollback,
  readDeployment,
  rollbackApp,
} from '../../resources/deployments/deployment.ts';
import { planPromotion, promoteEnvironment } from '../../resources/deployments/promotion.ts';
import { listRecentDeployments } from '../../resources/deployments/recent.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begun } from './begun.ts';

export const deploymentRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.deployApp, async ({ ctx, target, query, body }) => {
    if (query.dry_run) return ok(await planDeploy(core, ctx, target, body));
    return begun(await deployApp(core, ctx, target, body, query.wait ?? false), query.wait);
  }),
  bind(operations.rollbackApp, async ({ ctx, target, query, body }) => {
    if (query.dry_run) return ok(await planRollback(core, ctx, target, body));
    return begun(await rollbackApp(core, ctx, target, body, query.wait ?? false), query.wait);
  }),
  bind(operations.promoteEnvironment, async ({ ctx, target, query, body }) => {
    if (query.dry_run) return ok(await planPromotion(core, ctx, target, body));
    return { status: 202, body: await promoteEnvironment(core, ctx, target, body) };
  }),
  bind(operations.listDeployments, ({ ctx, target, query }) => paged(listDeployments(core, ctx, target, query))),
  bind(operations.listRecentDeployments, ({ ctx, query }) => paged(listRecentDeployments(core, ctx, query))),
  bind(operations.getDeployment, async ({ ctx, target, query }) =>
    ok(await readDeployment(core, ctx, target, query.wait ?? false)),
  ),
  bind(operations.cancelDeployment, async ({ ctx, target }) => ok(await cancelDeployment(core, ctx, target))),
  bind(operations.deleteDeployment, async ({ ctx, target }) => {
    await deleteDeployment(core, ctx, target);
    return noContent();
  }),
];
