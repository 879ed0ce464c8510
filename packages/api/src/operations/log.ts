import { z } from 'zod';
import { operation } from '../operation.ts';
import { AppPath } from './parameters.ts';

export const getLogs = operation({
  id: 'getLogs',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/logs',
  tag: 'Logs',
  summary: 'Read what an app’s instances wrote',
  description:
    'stdout and stderr of the live release’s instances, merged in time order; with several, each line names its instance.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject({
    tail: z
      .string()
      .regex(/^(all|\d{1,6})$/, 'must be a number of lines or «all»')
      .default('500')
      .describe('How many of the last lines, 10,000 at most; or `all` that the engine still has, 10 MiB at most.'),
    since: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 time' })
      .optional()
      .describe('Only what was written from then on.'),
  }),
  responses: { 200: { description: 'The lines.', contentType: 'text/plain', schema: z.string() } },
});
