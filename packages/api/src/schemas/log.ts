import { z } from 'zod';
import { Timestamp } from './common.ts';

/** Formats of a response with log lines. */
export const LOG_FORMATS = ['text', 'json'] as const;

const line = {
  replica: z.string().describe('Name of the replica: `<deployment ID>-<number of the replica>`.'),
  stream: z.enum(['stdout', 'stderr']),
  at: Timestamp.describe(
    'Time of the line in RFC 3339 format, in UTC with nanoseconds. You can use this time as `since` or `until` of another request.',
  ),
  line: z.string().describe('Content of the line without the line end. Invalid UTF-8 is replaced by U+FFFD.'),
};

export const LogLine = z
  .object({ ...line, deployment: z.int().describe('ID of the deployment of the replica.') })
  .meta({ id: 'LogLine', description: 'Log line of a replica.' });
export type LogLine = z.infer<typeof LogLine>;

export const LogLines = z
  .object({
    lines: z
      .array(LogLine)
      .describe('The most recent log lines that match the request, from all replicas, sorted by time.'),
    more: z
      .boolean()
      .describe(
        'Whether there may be older lines that match the request. To get them, repeat the request and set `until` to the time `at` of the first line.',
      ),
  })
  .meta({ id: 'LogLines', description: 'Log lines of the replicas of an app.' });
export type LogLines = z.infer<typeof LogLines>;

export const LogEvent = z
  .object({
    seq: z.int().describe('Sequence number of the last line. A client can resume the stream after this line.'),
    at: Timestamp,
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    lines: z.array(z.object(line)),
  })
  .meta({ id: 'LogEvent', description: 'Data of the event `log`: new log lines of the replicas of an app.' });
export type LogEvent = z.infer<typeof LogEvent>;
