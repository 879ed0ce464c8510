import { z } from 'zod';
import { operation } from '../operation.ts';
import { queryInteger } from '../schemas/common.ts';
import { DatabaseLogLines, DatabaseMetrics } from '../schemas/database-readings.ts';
import { MetricWindowName } from '../schemas/metric.ts';
import { DatabasePath } from './parameters.ts';

const tag = 'Databases';
const path = '/databases/{project}/{environment}/{database}';

export const getDatabaseLogs = operation({
  id: 'getDatabaseLogs',
  method: 'GET',
  path: `${path}/logs`,
  tag,
  summary: 'Read what a database wrote',
  description: 'The newest lines of its container, oldest first; those of a container that was replaced are gone.',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject({
    tail: queryInteger(1, 5_000).optional().describe('How many lines; 200 unless given.'),
    format: z.enum(['text', 'json'], 'must be text or json').default('text').describe('How the lines are answered.'),
  }),
  responses: {
    200: { description: 'The lines.', contentType: 'text/plain', schema: z.string(), json: DatabaseLogLines },
  },
  tool: {
    description: 'The newest lines that the database wrote, oldest first.',
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
  summary: 'Read what a database used',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject({
    window: MetricWindowName.default('1h').describe('How far back: the further, the longer the steps.'),
  }),
  responses: { 200: { description: 'The samples.', schema: DatabaseMetrics } },
  tool: {},
});
