import { z } from 'zod';
import { operation } from '../operation.ts';
import { Run } from '../schemas/run.ts';
import { Cron, Schedule, ScheduleCreate, SchedulePatch, ScheduleTimes, TimeZone } from '../schemas/schedule.ts';
import { AppPath, paging, recordPaging } from './parameters.ts';

const tag = 'Schedules';
const path = '/apps/{project}/{environment}/{app}/schedules';
const SchedulePath = AppPath.extend({ schedule: z.string().describe('The schedule’s number.') });

export const listSchedules = operation({
  id: 'listSchedules',
  method: 'GET',
  path,
  tag,
  summary: 'List an app’s schedules',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The schedules, oldest first.', schema: z.array(Schedule) } },
  tool: {},
});

export const listScheduleTimes = operation({
  id: 'listScheduleTimes',
  method: 'GET',
  path: '/schedule-times',
  tag,
  summary: 'Say when a schedule would run',
  description: 'The next times of an expression in a time zone, as a schedule would have them; nothing is made.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({ cron: Cron, time_zone: TimeZone.default('UTC') }),
  responses: { 200: { description: 'The times.', schema: ScheduleTimes } },
  tool: {},
});

export const createSchedule = operation({
  id: 'createSchedule',
  method: 'POST',
  path,
  tag,
  summary: 'Run a command at set times',
  description: [
    'At each of its times the command is run as `run` would, from the release that is live then. Two runs of a schedule never overlap: a time that comes while the one before is still going is on record as skipped, and so is one at which the app is stopped or has no release.',
    'Times are those of the clock in its time zone. Where the clocks change, a time of day that does not exist is run right after the gap and one that comes twice is run the first time; what counts on with `*` or a step, such as `*/15 * * * *`, goes on every quarter of an hour. A time at which the instance was down is caught up once when it is back within an hour, and is on record as skipped after that.',
  ].join('\n\n'),
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: ScheduleCreate,
  responses: {
    201: {
      description: 'The schedule.',
      schema: Schedule,
      headers: { Location: 'Where the schedule is.' },
    },
  },
  tool: {},
});

export const getSchedule = operation({
  id: 'getSchedule',
  method: 'GET',
  path: `${path}/{schedule}`,
  tag,
  summary: 'Read a schedule',
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
  summary: 'Change a schedule',
  description: 'A run that is going is not touched.',
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
  summary: 'Remove a schedule',
  description: 'Its runs stay on record among the app’s; one that is going goes on.',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: SchedulePath,
  responses: { 204: { description: 'It is gone.' } },
  tool: {},
});

export const runSchedule = operation({
  id: 'runSchedule',
  method: 'POST',
  path: `${path}/{schedule}/run`,
  tag,
  summary: 'Run a schedule’s command now',
  description: 'Detached, also when the schedule is not enabled; its next time stays as it is.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: SchedulePath,
  errors: ['quota_exceeded'],
  responses: {
    202: {
      description: 'The record to poll, at `Location`.',
      schema: Run,
      headers: { Location: 'Where the run’s record is.' },
    },
  },
  tool: { reachesOut: true },
});

export const listScheduleRuns = operation({
  id: 'listScheduleRuns',
  method: 'GET',
  path: `${path}/{schedule}/runs`,
  tag,
  summary: 'List a schedule’s last runs, newest first',
  description: 'As many as the settings say, and as many times that were skipped; outputs are in single reads.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: SchedulePath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'The runs.', schema: z.array(Run) } },
  tool: {},
});
