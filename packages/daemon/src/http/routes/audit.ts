import { operations } from '@davit/api';
import { listAudit, verifyAudit } from '../../resources/audit/audit.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const auditRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listAudit, async ({ ctx, query }) => ok(await listAudit(core, ctx, query))),
  bind(operations.verifyAudit, async ({ ctx }) => ok(await verifyAudit(core, ctx))),
];
