import { z } from 'zod';
import { Timestamp } from './common.ts';

const line = {
  instance: z.string().describe('`<deployment>-<n>`: the number of its deployment, and which one it is of that.'),
  stream: z.enum(['stdout', 'stderr']),
  at: Timestamp.describe('RFC 3339, UTC, to the nanosecond: as `since` or `until` it is exactly this line.'),
  line: z.string().describe('As it was written, without its end; bytes that are no text are U+FFFD.'),
};

export const LogLine = z
  .object({ ...line, deployment: z.int().describe('The deployment that the instance is of.') })
  .meta({ id: 'LogLine', description: 'A line that an app’s instance wrote.' });
export type LogLine = z.infer<typeof LogLine>;

export const LogLines = z
  .object({
    lines: z.array(LogLine).describe('The newest that match, oldest first, merged over instances in time order.'),
    more: z.boolean().describe('Older lines may match too: ask with the first line’s `at` as `until`.'),
  })
  .meta({ id: 'LogLines', description: 'Lines that an app’s instances wrote.' });
export type LogLines = z.infer<typeof LogLines>;

export const LogEvent = z
  .object({
    seq: z.int().describe('The number of the last line, in the order of arrival; what a stream is resumed with.'),
    at: Timestamp,
    app: z.string().describe('`project/environment/app`.'),
    lines: z.array(z.object(line)),
  })
  .meta({ id: 'LogEvent', description: 'Data of `log`: lines that an app’s instances wrote.' });
export type LogEvent = z.infer<typeof LogEvent>;
