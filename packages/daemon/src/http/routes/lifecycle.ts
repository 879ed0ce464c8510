import { operations } from '@davit/api';
import { restartApp, startApp, stopApp } from '../../resources/apps/lifecycle.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begun } from './begun.ts';

export const lifecycleRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.restartApp, async ({ ctx, target, query }) =>
    begun(await restartApp(core, ctx, target, query.wait ?? false), query.wait),
  ),
  bind(operations.stopApp, async ({ ctx, target, query }) => ok(await stopApp(core, ctx, target, query.wait ?? false))),
  bind(operations.startApp, async ({ ctx, target, query }) =>
    begun(await startApp(core, ctx, target, query.wait ?? false), query.wait),
  ),
];
