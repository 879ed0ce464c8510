import { z } from 'zod';
import { operation } from '../operation.ts';
import { AppMetrics, MachineMetrics, MetricWindowName } from '../schemas/metric.ts';
import { AppPath } from './parameters.ts';

const query = z.strictObject({
  window: MetricWindowName.default('1h').describe(
    'Length of the time range up to now. In a longer time range, the intervals between the samples are longer.',
  ),
});

export const getAppMetrics = operation({
  id: 'getAppMetrics',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/metrics',
  tag: 'Metrics',
  summary: 'Get the metrics of an app',
  description:
    'Returns the CPU, memory and network use of all replicas together. During a deployment, the values include the replicas of both releases. All values of an interval are `null` if Davit measured nothing in this interval. `traffic` has the number, the error rates and the durations of requests through the proxy. Davit does not store the paths of requests.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query,
  responses: { 200: { description: 'Metrics of the app as samples over time.', schema: AppMetrics } },
  tool: {},
});

export const getInstanceMetrics = operation({
  id: 'getInstanceMetrics',
  method: 'GET',
  path: '/instance/metrics',
  tag: 'Metrics',
  summary: 'Get the metrics of the server',
  description: 'The metrics cover the whole server, including programs that are not part of Davit.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query,
  responses: { 200: { description: 'Metrics of the server as samples over time.', schema: MachineMetrics } },
  tool: {},
});
