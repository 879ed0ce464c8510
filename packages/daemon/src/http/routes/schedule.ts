import { operations } from '@davit/api';
import {
  createSchedule,
  listScheduleRuns,
  listSchedules,
  nextTimes,
  patchSchedule,
  readSchedule,
  removeSchedule,
  runScheduleNow,
} from '../../resources/schedules/schedule.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const scheduleRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listSchedules, ({ ctx, target, query }) => paged(listSchedules(core, ctx, target, query))),
  bind(operations.listScheduleTimes, async ({ query }) => ok(await nextTimes(core, query))),
  bind(operations.createSchedule, async ({ ctx, target, body }) => {
    const schedule = await createSchedule(core, ctx, target, body);
    return created(schedule, `/api/apps/${target.reference}/schedules/${schedule.id}`);
  }),
  bind(operations.getSchedule, ({ ctx, target, params }) => ok(readSchedule(core, ctx, target, params.schedule))),
  bind(operations.patchSchedule, async ({ ctx, target, params, body }) =>
    ok(await patchSchedule(core, ctx, target, params.schedule, body)),
  ),
  bind(operations.removeSchedule, ({ ctx, target, params }) => {
    removeSchedule(core, ctx, target, params.schedule);
    return noContent();
  }),
  bind(operations.runSchedule, ({ ctx, target, params }) => {
    const run = runScheduleNow(core, ctx, target, params.schedule);
    return { status: 202, body: run, headers: { location: `/api/apps/${target.reference}/runs/${run.id}` } };
  }),
  bind(operations.listScheduleRuns, ({ ctx, target, params, query }) =>
    paged(listScheduleRuns(core, ctx, target, params.schedule, query)),
  ),
];
