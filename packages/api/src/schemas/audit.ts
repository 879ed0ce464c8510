import { z } from 'zod';
import { queryInteger, Timestamp, Via } from './common.ts';

export const AUDIT_OUTCOMES = ['ok', 'refused', 'failed'] as const;

export const AuditEvent = z
  .object({
    id: z.int().describe('Numbered without a gap.'),
    at: Timestamp,
    actor: z.string().nullable().describe('Who did it; null: nobody had signed in.'),
    key: z.object({ id: z.int(), name: z.string() }).nullable().describe('The API key that spoke for them.'),
    via: Via,
    ip: z.string().describe('Where from; `local`: over the socket on the machine itself.'),
    operation: z.string().describe('The operation’s id, or method and path of a route that is not in this document.'),
    target: z.string().describe('What it was done to: the names in the path, or the name of what was made.'),
    outcome: z
      .enum(AUDIT_OUTCOMES)
      .describe('`refused`: it was not allowed or not valid. `failed`: it was, and could not be done.'),
    status: z.int().describe('What was answered.'),
    times: z
      .int()
      .describe('How many requests the row stands for: of many that are refused in a minute the first have one each.'),
    request_id: z.string().nullable(),
    hash: z.string().describe('SHA-256 of the hash of the row before and of this row.'),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditPage = z
  .object({
    events: z.array(AuditEvent).describe('Newest first.'),
    next: z.int().nullable().describe('What to send as `before` for the rows behind these; null: there are none.'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;

const text = z.string().min(1).max(300);

export const AuditQuery = z.strictObject({
  user: text.optional().describe('Who did it.'),
  via: Via.optional(),
  operation: text.optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  target: text.optional().describe('A thing and what is in it: `shop` finds `shop/production/web` too.'),
  from: Timestamp.optional().describe('Not before this time.'),
  to: Timestamp.optional().describe('Not after this time.'),
  limit: queryInteger(1, 500).default(100),
  before: queryInteger(1, 999_999_999).optional().describe('Rows with smaller numbers only.'),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditVerification = z
  .object({
    ok: z.boolean().describe('Every row is there, in its place and as it was written.'),
    checked: z.int().describe('How many rows were looked at.'),
    head: z
      .string()
      .describe('The hash of the newest row: whoever keeps it elsewhere can hold it against a later one.'),
    broken_at: z.int().optional().describe('The first row that is missing or not what was written.'),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof AuditVerification>;
