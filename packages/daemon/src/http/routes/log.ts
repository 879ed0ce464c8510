import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { readLogs } from '../../core/log.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const logRoutes = (core: Core): Binding[] => [
  bind(operations.getLogs, async ({ ctx, target, query }) => ok(await readLogs(core, ctx, target, query))),
];
