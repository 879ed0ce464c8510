import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { restartApp, startApp, stopApp } from '../../core/lifecycle.ts';
import { type Binding, bind, ok } from '../bind.ts';
import { begun } from './begun.ts';

export const lifecycleRoutes = (core: Core): Binding[] => [
  bind(operations.restartApp, async ({ ctx, target, query }) =>
    begun(await restartApp(core, ctx, target, query.wait ?? false), query.wait),
  ),
  bind(operations.stopApp, async ({ ctx, target, query }) => ok(await stopApp(core, ctx, target, query.wait ?? false))),
  bind(operations.startApp, async ({ ctx, target, query }) =>
    begun(await startApp(core, ctx, target, query.wait ?? false), query.wait),
  ),
];
