import { operation } from '../operation.ts';
import { AuditPage, AuditQuery, AuditVerification } from '../schemas/audit.ts';

const tag = 'Audit';

export const listAudit = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/audit',
  tag,
  summary: 'Read what was done, and by whom',
  description:
    'Every request that changes something, and every one that was refused as not signed in or not allowed. A user who is limited to some projects sees rows of these projects, and rows of no project only of users whom the user can see.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: AuditQuery,
  responses: { 200: { description: 'The rows, newest first.', schema: AuditPage } },
  tool: {},
});

export const verifyAudit = operation({
  id: 'verifyAudit',
  method: 'POST',
  path: '/audit/verify',
  tag,
  summary: 'Check that nothing in the audit log was changed',
  description:
    'Detects rows that were changed, removed, added or moved, a truncated log, and a log that was rewritten without the master key. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'What was found.', schema: AuditVerification } },
});
