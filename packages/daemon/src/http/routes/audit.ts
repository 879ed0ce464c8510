import { operations } from '@davit/api';
import { listAudit, verifyAudit } from '../../core/audit.ts';
import type { Core } from '../../core/core.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const auditRoutes = (core: Core): Binding[] => [
  bind(operations.listAudit, async ({ ctx, query }) => ok(await listAudit(core, ctx, query))),
  bind(operations.verifyAudit, async ({ ctx }) => ok(await verifyAudit(core, ctx))),
];
