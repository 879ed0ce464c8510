import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { findLogs, followLogs, readLogs } from '../../core/log.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const logRoutes = (core: Core): Binding[] => [
  bind(operations.getAppLogs, async ({ ctx, target, query, lastEventId }) => {
    if (query.follow) return { status: 200, events: followLogs(core, target, query, lastEventId) };
    const read = query.format === 'json' ? findLogs : readLogs;
    return ok(await read(core, ctx, target, query));
  }),
];
