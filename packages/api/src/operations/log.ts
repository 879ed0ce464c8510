import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean, queryInteger } from '../schemas/common.ts';
import { LogLines } from '../schemas/log.ts';
import { LogStreamMessage } from '../schemas/stream.ts';
import { AppPath } from './parameters.ts';

const Moment = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' });

const LogQuery = z
  .strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\r\n]*$/, 'must be within one line')
      .optional()
      .describe('Only lines that contain this, letter case aside.'),
    since: Moment.optional().describe('Only what was written from then on.'),
    until: Moment.optional().describe('Only what was written before then.'),
    instance: z
      .string()
      .regex(/^\d{1,15}-\d{1,5}$/, 'must name an instance as its lines do, such as «12-1»')
      .optional()
      .describe('Only what this instance wrote, `<deployment>-<n>`.'),
    deployment: z
      .string()
      .regex(/^\d{1,15}$/, 'must be the number of a deployment')
      .transform(Number)
      .optional()
      .meta({ type: 'integer', description: 'Only what the instances of this deployment wrote.' }),
    stream: z.enum(['stdout', 'stderr']).optional().describe('Only what was written to this one.'),
    tail: z
      .string()
      .regex(/^(all|\d{1,6})$/, 'must be a number of lines or «all»')
      .optional()
      .describe('The newest so many, 500 unless given, 10,000 at most; or `all` that are kept, 10 MiB at most.'),
    limit: queryInteger(1, 10_000).optional().describe('The same as `tail`, which it stands in place of.'),
    format: z.enum(['text', 'json']).default('text').describe('How the lines are answered.'),
    follow: QueryBoolean.optional().describe('Answer events: the newest lines, then those that come in.'),
  })
  .refine(({ tail, limit }) => tail === undefined || limit === undefined, {
    path: ['limit'],
    error: 'says the same as «tail»: give one of the two',
  })
  .refine(({ follow, format }) => !follow || format === 'text', {
    path: ['format'],
    error: 'is not for lines that are followed: they are always events',
  })
  .refine(({ follow, since, until }) => !follow || (since === undefined && until === undefined), {
    path: ['follow'],
    error: 'takes no «since» and no «until»: it begins with the newest lines and goes on',
  })
  .refine(({ follow, tail }) => !follow || tail !== 'all', {
    path: ['tail'],
    error: 'must be a number of lines where they are followed',
  });

export const getAppLogs = operation({
  id: 'getAppLogs',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/logs',
  tag: 'Logs',
  summary: 'Read, search or follow what an app’s instances wrote',
  description:
    'stdout and stderr of all instances that the app has and had, failed deploys and removed containers included, merged in time order; where the lines of an answer are of several instances, each names its own. Lines are kept within the bounds of the settings, and are there while the engine is away. Nothing is taken out of them: what an app writes, secret values included, is read by everybody who may read the app.\n\nWith `follow=true` the answer is events `log`, each with a batch of lines in the order of arrival and with a position as `id`: sent as `Last-Event-ID` it resumes the stream without a gap; where what follows it is not kept any more, an event `reset` says so and the newest lines come again. The stream ends with the app.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: LogQuery,
  responses: {
    200: {
      description: 'The lines.',
      contentType: 'text/plain',
      schema: z.string(),
      json: LogLines,
      events: LogStreamMessage,
    },
  },
  tool: {
    description:
      'stdout and stderr of all instances that the app has and had, failed deploys included, the newest lines of those that match, oldest first. `tail` is how many; 500 unless given. What does not fit into the answer is left out at its beginning: ask with the first line’s time as `until` for what is before.',
    without: ['tail', 'format', 'follow'],
    renamed: { tail: 'limit' },
    says: { tail: 'How many of the newest lines; 500 unless given.' },
    always: { format: 'json' },
    answer: LogLines,
    tellsText: true,
  },
});
