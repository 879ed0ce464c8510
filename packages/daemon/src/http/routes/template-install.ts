import { operations } from '@davit/api';
import { install, offeredFor, planned, retry, uninstall } from '../../resources/templates/install/actions.ts';
import { previewUpdate, rollback, update } from '../../resources/templates/install/update.ts';
import { listTemplateInstalls, readInstallSecrets, readTemplateInstall } from '../../resources/templates/installed.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begunTask } from './begun-task.ts';
import { nameIn } from './template.ts';

export const templateInstallRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.installTemplate, async ({ ctx, params, query, body }) => {
    const { release, ...how } = body ?? operations.installTemplate.body.parse({});
    const offered = await offeredFor(core, ctx, { ...nameIn(params), release });
    if (query.dry_run) return ok(planned(core, ctx, offered, how));
    return begunTask(await install(core, ctx, offered, how, query.wait ?? false), query.wait);
  }),
  bind(operations.installTemplateFile, async ({ ctx, query, body: { source, ...how } }) => {
    const offered = await offeredFor(core, ctx, { source });
    if (query.dry_run) return ok(planned(core, ctx, offered, how));
    return begunTask(await install(core, ctx, offered, how, query.wait ?? false), query.wait);
  }),
  bind(operations.listTemplateInstalls, ({ ctx, query }) => paged(listTemplateInstalls(core, ctx, query))),
  bind(operations.getTemplateInstall, ({ ctx, target }) => ok(readTemplateInstall(core, ctx, target))),
  bind(operations.getTemplateInstallSecrets, ({ ctx, target }) => ok(readInstallSecrets(core, ctx, target))),
  bind(operations.previewTemplateUpdate, async ({ ctx, target, query: { release, keep_removed = false } }) =>
    ok(await previewUpdate(core, ctx, target, { release, inputs: {}, keep_removed })),
  ),
  bind(operations.updateTemplateInstall, async ({ ctx, target, query, body }) => {
    const options = body ?? operations.updateTemplateInstall.body.parse({});
    if (query.dry_run) return ok(await previewUpdate(core, ctx, target, options));
    return begunTask(await update(core, ctx, target, options, query.wait ?? false), query.wait);
  }),
  bind(operations.rollbackTemplateInstall, async ({ ctx, target, query, body }) =>
    begunTask(
      await rollback(core, ctx, target, { keep_failed: body?.keep_failed ?? false }, query.wait ?? false),
      query.wait,
    ),
  ),
  bind(operations.uninstallTemplate, async ({ ctx, target, query, body }) => {
    const options = body ?? operations.uninstallTemplate.body.parse({});
    return begunTask(await uninstall(core, ctx, target, options, query.wait ?? false), query.wait);
  }),
  bind(operations.retryTemplateInstall, async ({ ctx, target, query }) =>
    begunTask(await retry(core, ctx, target, query.wait ?? false), query.wait),
  ),
];
