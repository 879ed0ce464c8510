import { operation } from '../operation.ts';
import { AuditPage, AuditQuery, AuditVerification } from '../schemas/audit.ts';

const tag = 'Audit';

export const listAudit = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/audit',
  tag,
  summary: 'List entries of the audit log',
  description:
    'The audit log has an entry for each request that changes something. The audit log also has an entry for each request that Davit refused because of missing credentials or permissions. An admin with access to some projects sees only the entries of these projects, and entries of users whom the admin can see.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: AuditQuery,
  responses: { 200: { description: 'Entries of the audit log, newest first.', schema: AuditPage } },
  tool: {},
});

export const verifyAudit = operation({
  id: 'verifyAudit',
  method: 'POST',
  path: '/audit/verify',
  tag,
  summary: 'Verify the audit log',
  description:
    'The check finds entries of the audit log that were changed, removed, added or moved. The check also detects a truncated log, and a log that was rewritten without the master key. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'Result of the check of the audit log.', schema: AuditVerification } },
});
