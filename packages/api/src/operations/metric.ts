import { z } from 'zod';
import { operation } from '../operation.ts';
import { AppMetrics, MachineMetrics, MetricWindowName } from '../schemas/metric.ts';
import { AppPath } from './parameters.ts';

const query = z.strictObject({
  window: MetricWindowName.default('1h').describe('How far back: the further, the longer the steps.'),
});

export const getAppMetrics = operation({
  id: 'getAppMetrics',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/metrics',
  tag: 'Metrics',
  summary: 'Read what an app used, and what was asked of it',
  description:
    'CPU, memory and network of all instances together, those of two releases during a deploy. A step in which nothing was measured has null in every field. `traffic` are requests through the proxy: how many, how they went and how long they took. No path is kept.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query,
  responses: { 200: { description: 'The samples.', schema: AppMetrics } },
  tool: {},
});

export const getInstanceMetrics = operation({
  id: 'getInstanceMetrics',
  method: 'GET',
  path: '/instance/metrics',
  tag: 'Metrics',
  summary: 'Read what the machine used',
  description: 'The whole machine that this instance is on, whatever runs there.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query,
  responses: { 200: { description: 'The samples.', schema: MachineMetrics } },
  tool: {},
});
