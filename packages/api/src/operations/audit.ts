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
    'The audit log has an entry for each request that changes something. The audit log also has an entry for each request that Davit refused because of missing credentials or permissions. An admin with access to only some projects sees only the entries of these projects, and entries of users whom the admin can see.',
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
    'Davit checks whether someone changed, removed, added or moved entries of the audit log. Davit also detects whether the log was truncated, or rewritten without the master key. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'Whether the audit log is complete and unchanged.', schema: AuditVerification } },
});
