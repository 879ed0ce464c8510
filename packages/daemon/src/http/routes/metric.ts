import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { readMachineMetrics, readMetrics } from '../../core/metric.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const metricRoutes = (core: Core): Binding[] => [
  bind(operations.getAppMetrics, ({ ctx, target, query }) => ok(readMetrics(core, ctx, target, query))),
  bind(operations.getInstanceMetrics, ({ ctx, query }) => ok(readMachineMetrics(core, ctx, query))),
];
