import { z } from 'zod';
import { queryInteger, Timestamp, Via } from './common.ts';

export const AUDIT_OUTCOMES = ['ok', 'refused', 'failed'] as const;

export const AuditEvent = z
  .object({
    id: z.int().describe('Number of the entry. The numbers have no gaps.'),
    at: Timestamp,
    actor: z.string().nullable().describe('User name. `null` if the request was not authenticated.'),
    key: z
      .object({ id: z.int(), name: z.string() })
      .nullable()
      .describe('API key of the request. `null` if the request used none.'),
    via: Via,
    ip: z.string().describe('IP address of the client. `local` for requests over the socket of the server.'),
    operation: z.string().describe('Id of the operation, or method and path of a route that is not in this document.'),
    target: z
      .string()
      .describe('Resource that the request changed: the names in the path, or the name of the created resource.'),
    outcome: z
      .enum(AUDIT_OUTCOMES)
      .describe(
        'Outcome of the request. `ok`: it succeeded. `refused`: it was not allowed or not valid. `failed`: it was valid but failed.',
      ),
    status: z.int().describe('HTTP status of the response.'),
    times: z
      .int()
      .describe(
        'Number of requests that this entry counts. If many requests are refused in one minute, the first have an entry each and one entry counts the rest.',
      ),
    request_id: z.string().nullable(),
    hash: z.string().describe('SHA-256 hash of the hash of the previous entry and the content of this entry.'),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditPage = z
  .object({
    events: z.array(AuditEvent).describe('Entries, newest first.'),
    next: z.int().nullable().describe('Value of `before` for the next page. `null` on the last page.'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;

const text = z.string().min(1).max(300);

export const AuditQuery = z.strictObject({
  user: text.optional().describe('User name.'),
  via: Via.optional(),
  operation: text.optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  target: text.optional().describe('Resource and everything in it: `shop` also finds `shop/production/web`.'),
  from: Timestamp.optional().describe('Earliest time.'),
  to: Timestamp.optional().describe('Latest time.'),
  limit: queryInteger(1, 500).default(100),
  before: queryInteger(1, 999_999_999).optional().describe('Return only entries with smaller numbers.'),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditVerification = z
  .object({
    ok: z.boolean().describe('Whether all entries are present, in order and unchanged.'),
    checked: z.int().describe('Number of checked entries.'),
    head: z.string().describe('Hash of the newest entry. Store it elsewhere to detect later changes.'),
    broken_at: z.int().optional().describe('Number of the first entry that is missing or changed.'),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof AuditVerification>;
