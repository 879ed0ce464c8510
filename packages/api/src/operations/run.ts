import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Run, RunInput } from '../schemas/run.ts';
import { RunStreamMessage } from '../schemas/stream.ts';
import { AppPath, recordPaging } from './parameters.ts';

const tag = 'Runs';
const app = '/apps/{project}/{environment}/{app}';
const RunPath = AppPath.extend({ run: z.string().describe('ID of the run.') });

export const runInApp = operation({
  id: 'runInApp',
  method: 'POST',
  path: `${app}/run`,
  tag,
  summary: 'Run a command',
  description: [
    'Davit runs the command in a new container with the image of the live release. The container has the variables, files, limits, network and volumes of the live release. The app can be stopped, but one of its releases must have been live.',
    'Without `follow` and `detach`, Davit sends the response when the command has finished. With `follow=true`, the response is an event stream: events `log` have new output, and the last event `run` has the result. In both cases, Davit kills the command when the client disconnects. Exception: with an `Idempotency-Key` and without `follow`, the command continues, so that the client can get the result with a repeated request. With `detach=true`, Davit sends the response immediately and the command runs in the background. The header `Location` then has the URL of the run.',
    'A running command continues during a restart of the instance, but requests that wait for the command are closed. Everyone who can read the app can read the arguments of the command; pass secrets as variables instead. Only the roles member and admin can read the output.',
  ].join('\n\n'),
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  query: z.strictObject({
    follow: QueryBoolean.optional().describe(
      '`true` returns an event stream with the output of the command. Default: `false`.',
    ),
    detach: QueryBoolean.optional().describe(
      '`true` runs the command in the background, and the response arrives immediately. Default: `false`.',
    ),
  }),
  body: RunInput,
  errors: ['quota_exceeded'],
  responses: {
    200: {
      description: 'The finished run. The field `status` has the result.',
      schema: Run,
      events: RunStreamMessage,
    },
    202: {
      askedBy: 'detach',
      description:
        'With `detach=true`, the command runs in the background. To follow the run, poll the URL in the header `Location`.',
      schema: Run,
      headers: { Location: 'URL of the run.' },
    },
  },
  tool: {
    description:
      'Davit runs a program with its arguments in a new container with the image of the live release. The container has the variables, files, network and volumes of the live release. The tool returns the output when the program has finished. Davit does not use a shell; to use a shell, run `["sh", "-c", "…"]`. If the call is canceled, Davit kills the program. If the program takes longer than a minute, set `detach` and read the result with get_run. Everyone who can read the app can read the arguments of the program; pass secrets as variables.',
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
  summary: 'List the runs of an app',
  description:
    'The list includes runs that a schedule started. The settings `runs.per_app` and `runs.per_schedule` limit how many runs Davit stores. The list does not contain the output of the runs; to read it, get a single run.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'Runs, newest first.', schema: z.array(Run) } },
  tool: {},
});

export const getRun = operation({
  id: 'getRun',
  method: 'GET',
  path: `${app}/runs/{run}`,
  tag,
  summary: 'Get a run',
  description:
    'The field `output` has the last 64 KiB of the output. The field is `null` while the command is running, and for callers without the role member or admin.',
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
  summary: 'Cancel a run',
  description:
    'Davit kills the command and removes its container. The output that the command wrote before the cancellation is kept.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: RunPath,
  responses: { 200: { description: 'The canceled run.', schema: Run } },
  tool: { tellsText: true },
});
