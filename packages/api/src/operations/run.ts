import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Run, RunInput } from '../schemas/run.ts';
import { RunStreamMessage } from '../schemas/stream.ts';
import { AppPath, recordPaging } from './parameters.ts';

const tag = 'Runs';
const app = '/apps/{project}/{environment}/{app}';
const RunPath = AppPath.extend({ run: z.string().describe('The run’s number.') });

export const runInApp = operation({
  id: 'runInApp',
  method: 'POST',
  path: `${app}/run`,
  tag,
  summary: 'Run a command once',
  description: [
    'Runs in a new container of the live release’s image, with its variables, files, limits, network and volumes, beside the instances that serve. It needs nothing of the app to run, only a release that went live.',
    'The answer is the record of its end. With `follow=true` it is told live, as server-sent events: `log` with what it writes as it writes it, and `run` with the record at its end. Either way it belongs to the request: when the client leaves, the command is ended, unless it waits for the record and an `Idempotency-Key` says that it will ask again. With `detach=true` it belongs to nobody: the answer comes at once, and the record is read where `Location` says.',
    'A command that is running when the instance is restarted goes on, and its record is kept; what waited for it is cut. Arguments are on record, and everybody who sees the app can read them: give secrets as variables. The output is read by those who may read secrets.',
  ].join('\n\n'),
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  query: z.strictObject({
    follow: QueryBoolean.optional().describe('Tell what it writes as it writes it.'),
    detach: QueryBoolean.optional().describe('Answer when it has begun.'),
  }),
  body: RunInput,
  errors: ['quota_exceeded'],
  responses: {
    200: {
      description: 'The command has ended, well or not: the record says how.',
      schema: Run,
      events: RunStreamMessage,
    },
    202: {
      askedBy: 'detach',
      description: 'With `detach=true`: the record to poll, at `Location`.',
      schema: Run,
      headers: { Location: 'Where the run’s record is.' },
    },
  },
  tool: {
    description:
      'Runs a program with its arguments in a new container of the live release’s image, with its variables, files, network and volumes, beside the instances that serve, and answers the record of its end with what it wrote. There is no shell unless the program is one: `["sh", "-c", "…"]`. It is ended when the call is given up; for what takes longer than a minute ask with `detach` and read it with get_run. Arguments are on record: give secrets as variables.',
    without: ['follow'],
    reachesOut: true,
    tellsText: true,
  },
});

export const listRuns = operation({
  id: 'listRuns',
  method: 'GET',
  path: `${app}/runs`,
  tag,
  summary: 'List the commands that were run, newest first',
  description:
    'Those of schedules too. The last ones are kept, as many as the settings say; outputs are in single reads.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'The runs.', schema: z.array(Run) } },
  tool: {},
});

export const getRun = operation({
  id: 'getRun',
  method: 'GET',
  path: `${app}/runs/{run}`,
  tag,
  summary: 'Read a run with its output',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: RunPath,
  responses: { 200: { description: 'The run.', schema: Run } },
  errors: ['conflict'],
  tool: { tellsText: true },
});

export const cancelRun = operation({
  id: 'cancelRun',
  method: 'POST',
  path: `${app}/runs/{run}/cancel`,
  tag,
  summary: 'End a command that runs',
  description: 'Kills it and removes its container; what it wrote until then is kept.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: RunPath,
  responses: { 200: { description: 'The run, ended.', schema: Run } },
  tool: { tellsText: true },
});
