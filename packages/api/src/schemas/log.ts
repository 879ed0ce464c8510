import { z } from 'zod';
import { Timestamp } from './common.ts';

const line = {
  replica: z.string().describe('Replica, as `<number of the deployment>-<number of the replica>`.'),
  stream: z.enum(['stdout', 'stderr']),
  at: Timestamp.describe(
    'Time in RFC 3339 format, UTC, with nanoseconds. As `since` or `until` it identifies exactly this line.',
  ),
  line: z.string().describe('Content of the line without the line end. Invalid UTF-8 is replaced by U+FFFD.'),
};

export const LogLine = z
  .object({ ...line, deployment: z.int().describe('Number of the deployment of the replica.') })
  .meta({ id: 'LogLine', description: 'Line that a replica wrote.' });
export type LogLine = z.infer<typeof LogLine>;

export const LogLines = z
  .object({
    lines: z.array(LogLine).describe('Newest matching lines of all replicas, oldest first.'),
    more: z
      .boolean()
      .describe('Whether older lines may match. Request them with the `at` of the first line as `until`.'),
  })
  .meta({ id: 'LogLines', description: 'Lines that the replicas of an app wrote.' });
export type LogLines = z.infer<typeof LogLines>;

export const LogEvent = z
  .object({
    seq: z.int().describe('Sequence number of the last line. A client resumes a stream with it.'),
    at: Timestamp,
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    lines: z.array(z.object(line)),
  })
  .meta({ id: 'LogEvent', description: 'Data of the event `log`: lines that the replicas of an app wrote.' });
export type LogEvent = z.infer<typeof LogEvent>;
