import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean, queryInteger } from '../schemas/common.ts';
import { LOG_FORMATS, LogLines } from '../schemas/log.ts';
import { LogStreamMessage } from '../schemas/stream.ts';
import { AppPath } from './parameters.ts';

const Moment = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' });

const LogQuery = z
  .strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\r\n]*$/, 'must not contain line breaks')
      .optional()
      .describe(
        'Text to search for. The response has only lines that contain this text. The search ignores letter case.',
      ),
    since: Moment.optional().describe(
      'Start of the time range, in RFC 3339 format. The response has only lines from this time or later.',
    ),
    until: Moment.optional().describe(
      'End of the time range, in RFC 3339 format. The response has only lines from before this time.',
    ),
    replica: z
      .string()
      .regex(/^\d{1,15}-\d{1,5}$/, 'must be the name of a replica, such as 12-1')
      .optional()
      .describe('Filter by the name of a replica, `<deployment>-<n>`. Default: lines of all replicas.'),
    deployment: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the ID of a deployment: 1 to 15 digits')
      .transform(Number)
      .optional()
      .meta({
        type: 'integer',
        description: 'Filter by the ID of a deployment. Default: lines of all deployments.',
      }),
    stream: z
      .enum(['stdout', 'stderr'])
      .optional()
      .describe('Filter by output stream. Default: lines of stdout and stderr.'),
    tail: z
      .string()
      .regex(/^(all|\d{1,6})$/, 'must be a number of lines or all')
      .optional()
      .describe(
        'Number of newest lines to return, at most 10,000. `all` returns all stored lines, at most 10 MiB. Default: 500.',
      ),
    limit: queryInteger(1, 10_000)
      .optional()
      .describe('Maximum number of lines to return, like `tail`. Do not send both `limit` and `tail`. Default: 500.'),
    format: z.enum(LOG_FORMATS).default('text').describe('Format of the response: plain text or JSON.'),
    follow: QueryBoolean.optional().describe(
      '`true` returns an event stream: first the newest stored lines, then each new line. Default: `false`.',
    ),
  })
  .refine(({ tail, limit }) => tail === undefined || limit === undefined, {
    path: ['limit'],
    error: 'cannot be combined with tail: use one of the two',
  })
  .refine(({ follow, format }) => !follow || format === 'text', {
    path: ['format'],
    error: 'must be left out with follow=true: the response is then always an event stream',
  })
  .refine(({ follow, since, until }) => !follow || (since === undefined && until === undefined), {
    path: ['follow'],
    error: 'cannot be combined with since or until: the stream begins with the newest lines and continues',
  })
  .refine(({ follow, tail }) => !follow || tail !== 'all', {
    path: ['tail'],
    error: 'must be a number of lines with follow=true',
  });

export const getAppLogs = operation({
  id: 'getAppLogs',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/logs',
  tag: 'Logs',
  summary: 'Get the logs of an app',
  description: [
    'Returns stdout and stderr of all current and previous replicas of the app, sorted by time. The response includes lines of failed deployments and removed containers. If the lines come from several replicas, each line has the name of its replica.',
    'The settings limit how many lines Davit stores. Logs are also available while Docker is unavailable. Davit does not mask secret values: everyone who can read the app can read its logs.',
    'With `follow=true`, the response is a stream of events `log`. Each event has several lines in the order in which they arrived, and a position as its `id`. To resume the stream without a gap, send the last `id` in the header `Last-Event-ID`. If Davit no longer stores the lines after this position, the stream has an event `reset`, followed by the newest lines. The stream ends when the app is deleted.',
  ].join('\n\n'),
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: LogQuery,
  responses: {
    200: {
      description: 'Log lines, sorted by time. With `follow=true`, a stream of events.',
      contentType: 'text/plain',
      schema: z.string(),
      json: LogLines,
      events: LogStreamMessage,
    },
  },
  tool: {
    description:
      'Returns the most recent matching lines of stdout and stderr, sorted by time. The lines come from all current and previous replicas of the app, including failed deployments. `tail` is the maximum number of lines. Default: 500. If the lines do not fit into the result, the oldest lines are left out. To get earlier lines, set `until` to the time of the first line.',
    without: ['tail', 'format', 'follow'],
    renamed: { tail: 'limit' },
    says: { tail: 'Maximum number of lines. Default: 500.' },
    always: { format: 'json' },
    answer: LogLines,
    tellsText: true,
  },
});
