import { z } from 'zod';
import { operation } from '../operation.ts';
import { Run } from '../schemas/run.ts';
import { Cron, Schedule, ScheduleCreate, SchedulePatch, ScheduleTimes, TimeZone } from '../schemas/schedule.ts';
import { AppPath, paging, recordPaging } from './parameters.ts';

const tag = 'Schedules';
const path = '/apps/{project}/{environment}/{app}/schedules';
const SchedulePath = AppPath.extend({ schedule: z.string().describe('ID of the schedule.') });

export const listSchedules = operation({
  id: 'listSchedules',
  method: 'GET',
  path,
  tag,
  summary: 'List the schedules of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'Schedules, oldest first.', schema: z.array(Schedule) } },
  tool: {},
});

export const listScheduleTimes = operation({
  id: 'listScheduleTimes',
  method: 'GET',
  path: '/schedule-times',
  tag,
  summary: 'Preview the next run times of a schedule',
  description:
    'Calculates the next five run times of a schedule from a cron expression and a time zone. The request does not create a schedule.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({ cron: Cron, time_zone: TimeZone.default('UTC') }),
  responses: { 200: { description: 'Times, earliest first.', schema: ScheduleTimes } },
  tool: {},
});

export const createSchedule = operation({
  id: 'createSchedule',
  method: 'POST',
  path,
  tag,
  summary: 'Create a schedule',
  description: [
    'At each scheduled time, Davit runs the command with the live release, like `POST /apps/{project}/{environment}/{app}/run`. Runs of a schedule never overlap. If the previous run is still in progress, Davit records the new run as `skipped`. Davit also records a run as `skipped` if the app is stopped or has no release.',
    'The cron expression uses the local time of `time_zone`. When daylight saving time starts, Davit runs the command right after the skipped hour if the scheduled time does not exist. When daylight saving time ends, Davit runs the command only the first time if the scheduled time occurs twice. Expressions with `*` or a step, such as `*/15 * * * *`, keep their regular interval. If the instance was down at a scheduled time, Davit runs the command once, up to one hour late. If the instance was down for longer, Davit records the run as `skipped`.',
  ].join('\n\n'),
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: ScheduleCreate,
  responses: {
    201: {
      description: 'The new schedule.',
      schema: Schedule,
      headers: { Location: 'URL of the schedule.' },
    },
  },
  tool: {},
});

export const getSchedule = operation({
  id: 'getSchedule',
  method: 'GET',
  path: `${path}/{schedule}`,
  tag,
  summary: 'Get a schedule',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: SchedulePath,
  responses: { 200: { description: 'The schedule.', schema: Schedule } },
});

export const patchSchedule = operation({
  id: 'patchSchedule',
  method: 'PATCH',
  path: `${path}/{schedule}`,
  tag,
  summary: 'Update a schedule',
  description: 'Absent fields keep their values. The change does not affect a run in progress.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: SchedulePath,
  body: SchedulePatch,
  responses: { 200: { description: 'The schedule.', schema: Schedule } },
  tool: {},
});

export const removeSchedule = operation({
  id: 'removeSchedule',
  method: 'DELETE',
  path: `${path}/{schedule}`,
  tag,
  summary: 'Delete a schedule',
  description:
    'Davit deletes only the schedule. Its runs stay in the list of runs of the app, and a run in progress continues.',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: SchedulePath,
  responses: { 204: { description: 'The schedule was deleted.' } },
  tool: {},
});

export const runSchedule = operation({
  id: 'runSchedule',
  method: 'POST',
  path: `${path}/{schedule}/run`,
  tag,
  summary: 'Run the command of a schedule now',
  description:
    'The command runs in the background, even if the schedule is disabled. The next scheduled time does not change.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: SchedulePath,
  errors: ['quota_exceeded'],
  responses: {
    202: {
      description: 'The new run. To follow the run, poll the URL in the header `Location`.',
      schema: Run,
      headers: { Location: 'URL of the run.' },
    },
  },
  tool: { reachesOut: true },
});

export const listScheduleRuns = operation({
  id: 'listScheduleRuns',
  method: 'GET',
  path: `${path}/{schedule}/runs`,
  tag,
  summary: 'List the runs of a schedule',
  description:
    'Returns the stored runs of a schedule, including runs with the status `skipped`. Davit stores only the newest runs. The setting `runs.per_schedule` limits how many runs Davit stores for each schedule. The list does not contain the output of the runs. To read the output, get a single run.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: SchedulePath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'Runs, newest first.', schema: z.array(Run) } },
  tool: {},
});
