import { z } from 'zod';
import { queryInteger, Timestamp, Via } from './common.ts';

export const AUDIT_OUTCOMES = ['ok', 'refused', 'failed'] as const;

export const AuditEvent = z
  .object({
    id: z.int().describe('Number of the audit entry. The entries are numbered consecutively.'),
    at: Timestamp,
    actor: z.string().nullable().describe('User name. `null` if the request was not authenticated.'),
    key: z
      .object({ id: z.int(), name: z.string() })
      .nullable()
      .describe('API key of the request. `null` if the request used no API key.'),
    via: Via,
    ip: z.string().describe('IP address of the client. `local` for requests over the local Unix socket of the server.'),
    operation: z
      .string()
      .describe(
        'ID of the API operation. If the API reference does not contain the operation: method and path of the request.',
      ),
    target: z
      .string()
      .describe(
        'Address or name of the resource that the request created or changed, for example `shop/production/web`.',
      ),
    outcome: z
      .enum(AUDIT_OUTCOMES)
      .describe(
        'Outcome of the request. `ok`: the request succeeded. `refused`: the request was not allowed or not valid. `failed`: the request was valid but failed.',
      ),
    status: z.int().describe('HTTP status of the response.'),
    times: z
      .int()
      .describe(
        'Number of requests that the audit entry represents, usually 1. If Davit refuses many requests in one minute, it combines several requests into one entry.',
      ),
    request_id: z.string().nullable(),
    hash: z
      .string()
      .describe('SHA-256 hash of two values: the hash of the previous entry and the content of this entry.'),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditPage = z
  .object({
    events: z.array(AuditEvent).describe('Entries of the audit log, newest first.'),
    next: z
      .int()
      .nullable()
      .describe('Number to send in the parameter `before` to get the next page. `null` on the last page.'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;

const text = z.string().min(1).max(300);

export const AuditQuery = z.strictObject({
  user: text.optional().describe('Filter by user name. Default: entries of all users.'),
  via: Via.optional(),
  operation: text.optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  target: text
    .optional()
    .describe(
      'Filter by resource, for example `shop`. Entries of resources inside it, such as `shop/production/web`, are included.',
    ),
  from: Timestamp.optional().describe(
    'Earliest time of the entries. The response contains no entries before this time.',
  ),
  to: Timestamp.optional().describe('Latest time of the entries. The response contains no entries after this time.'),
  limit: queryInteger(1, 500).default(100),
  before: queryInteger(1, 999_999_999)
    .optional()
    .describe(
      'Number of an audit entry. The response contains only older entries. To get the next page, send the value of `next` from the previous page.',
    ),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditVerification = z
  .object({
    ok: z.boolean().describe('Whether all entries of the audit log are present, in order and unchanged.'),
    checked: z.int().describe('Number of audit entries that were checked.'),
    head: z
      .string()
      .describe(
        'Hash of the newest audit entry. To detect later changes of the audit log, store the hash outside the server.',
      ),
    broken_at: z.int().optional().describe('Number of the first audit entry that is missing or changed.'),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof AuditVerification>;
