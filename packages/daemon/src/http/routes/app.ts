import { operations } from '@davit/api';
import { listApps, readApp } from '../../core/app.ts';
import { createApp, deleteApp, patchApp, putApp } from '../../core/app-settings.ts';
import type { Core } from '../../core/core.ts';
import { type Binding, bind, created, noContent, ok } from '../bind.ts';

export const appRoutes = (core: Core): Binding[] => [
  bind(operations.listApps, ({ ctx }) => ok(listApps(core, ctx))),
  bind(operations.createApp, ({ ctx, body }) => {
    const app = createApp(core, ctx, body);
    return created(app, `/api/apps/${app.reference}`);
  }),
  bind(operations.getApp, ({ ctx, target }) => ok(readApp(core, ctx, target))),
  bind(operations.patchApp, async ({ ctx, target, body }) => ok(await patchApp(core, ctx, target, body))),
  bind(operations.putApp, async ({ ctx, target, body }) => ok(await putApp(core, ctx, target, body))),
  bind(operations.deleteApp, async ({ ctx, target }) => {
    await deleteApp(core, ctx, target);
    return noContent();
  }),
];
