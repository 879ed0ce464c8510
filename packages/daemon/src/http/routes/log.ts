import { operations } from '@davit/api';
import { findLogs, followLogs, readLogs } from '../../resources/logs/log.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const logRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getAppLogs, async ({ ctx, target, query, lastEventId }) => {
    if (query.follow) return { status: 200, events: followLogs(core, target, query, lastEventId) };
    const read = query.format === 'json' ? findLogs : readLogs;
    return ok(await read(core, ctx, target, query));
  }),
];
