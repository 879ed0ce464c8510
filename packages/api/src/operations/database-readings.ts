import { z } from 'zod';
import { operation } from '../operation.ts';
import { queryInteger } from '../schemas/common.ts';
import { DatabaseLogLines, DatabaseMetrics } from '../schemas/database-readings.ts';
import { LOG_FORMATS } from '../schemas/log.ts';
import { MetricWindowName } from '../schemas/metric.ts';
import { DatabasePath } from './parameters.ts';

const tag = 'Databases';
const path = '/databases/{project}/{environment}/{database}';

export const getDatabaseLogs = operation({
  id: 'getDatabaseLogs',
  method: 'GET',
  path: `${path}/logs`,
  tag,
  summary: 'Get the logs of a database',
  description:
    'Returns the most recent log lines of the current database container, sorted by time. Log lines of earlier containers are not available.',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject({
    tail: queryInteger(1, 5_000).optional().describe('Maximum number of lines. Default: 200.'),
    format: z
      .enum(LOG_FORMATS, 'must be text or json')
      .default('text')
      .describe('Format of the response: plain text or JSON.'),
  }),
  responses: {
    200: {
      description: 'Log lines, sorted by time.',
      contentType: 'text/plain',
      schema: z.string(),
      json: DatabaseLogLines,
    },
  },
  tool: {
    description: 'Returns the most recent log lines of the database, sorted by time.',
    without: ['format'],
    always: { format: 'json' },
    answer: DatabaseLogLines,
    tellsText: true,
  },
});

export const getDatabaseMetrics = operation({
  id: 'getDatabaseMetrics',
  method: 'GET',
  path: `${path}/metrics`,
  tag,
  summary: 'Get the metrics of a database',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject({
    window: MetricWindowName.default('1h').describe(
      'Length of the time range up to now. In a longer time range, the intervals between the samples are longer.',
    ),
  }),
  responses: { 200: { description: 'Metrics of the database as samples over time.', schema: DatabaseMetrics } },
  tool: {},
});
