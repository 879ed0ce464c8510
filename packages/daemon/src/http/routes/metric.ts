import { operations } from '@davit/api';
import { readMachineMetrics, readMetrics } from '../../resources/metrics/metric.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const metricRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getAppMetrics, ({ ctx, target, query }) => ok(readMetrics(core, ctx, target, query))),
  bind(operations.getInstanceMetrics, ({ ctx, query }) => ok(readMachineMetrics(core, ctx, query))),
];
