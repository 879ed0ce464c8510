import { invalidField, operations } from '@davit/api';
import { beginCommand, cancelRun, followCommand, listRuns, readRun, runInApp } from '../../resources/runs/run.ts';
import { type Binding, bind, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const runRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.runInApp, async ({ ctx, target: app, query, body: input }) => {
    if (query.detach && query.follow) {
      throw invalidField(
        'follow',
        'not_allowed',
        'must not be used together with “detach=true”, because a detached request does not wait for output of the command.',
      );
    }
    if (query.follow) return { status: 200, events: (signal) => followCommand(core, ctx, { app, input }, signal) };
    if (!query.detach) return ok(await runInApp(core, ctx, app, input));
    const run = beginCommand(core, ctx, app, input);
    return { status: 202, body: run, headers: { location: `/api/apps/${app.reference}/runs/${run.id}` } };
  }),
  bind(operations.listRuns, ({ ctx, target, query }) => paged(listRuns(core, ctx, target, query))),
  bind(operations.getRun, ({ ctx, target, params }) => ok(readRun(core, ctx, target, params.run))),
  bind(operations.cancelRun, async ({ ctx, target, params }) => ok(await cancelRun(core, ctx, target, params.run))),
];
