import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import {
  cancelDeployment,
  deleteDeployment,
  deployApp,
  listDeployments,
  planDeploy,
  planRollback,
  readDeployment,
  rollbackApp,
} from '../../core/deployment.ts';
import { planPromotion, promoteEnvironment } from '../../core/promotion.ts';
import { listRecentDeployments } from '../../core/recent-deployment.ts';
import { type Binding, bind, noContent, ok, paged } from '../bind.ts';
import { begun } from './begun.ts';

export const deploymentRoutes = (core: Core): Binding[] => [
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
