import { operations } from '@davit/api';
import { listApps, readApp } from '../../resources/apps/app.ts';
import {
  createApp,
  deleteApp,
  deploySettings,
  patchApp,
  patching,
  planSettings,
  putApp,
  replacing,
} from '../../resources/apps/settings.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begun } from './begun.ts';

export const appRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listApps, ({ ctx, query }) => paged(listApps(core, ctx, query.label, query))),
  bind(operations.createApp, ({ ctx, body }) => {
    const app = createApp(core, ctx, body);
    return created(app, `/api/apps/${app.reference}`);
  }),
  bind(operations.getApp, ({ ctx, target }) => ok(readApp(core, ctx, target))),
  bind(operations.patchApp, async ({ ctx, target, query, body }) => {
    if (query.dry_run) return ok(await planSettings(core, ctx, target, patching(body)));
    if (query.deploy) return begun(await deploySettings(core, ctx, target, patching(body)));
    return ok(await patchApp(core, ctx, target, body));
  }),
  bind(operations.putApp, async ({ ctx, target, query, body }) => {
    if (query.dry_run) return ok(await planSettings(core, ctx, target, replacing(body)));
    if (query.deploy) return begun(await deploySettings(core, ctx, target, replacing(body)));
    return ok(await putApp(core, ctx, target, body));
  }),
  bind(operations.deleteApp, async ({ ctx, target }) => {
    await deleteApp(core, ctx, target);
    return noContent();
  }),
];
