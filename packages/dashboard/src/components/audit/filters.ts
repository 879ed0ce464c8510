import type { AuditEvent } from '@davit/api';
import type { Args } from '../../api.ts';

export type AuditRequest = NonNullable<Args<'listAudit'>['query']>;

export const VIAS = [
  'dashboard',
  'cli',
  'mcp',
  'api',
  'local',
  'push',
  'schedule',
] as const satisfies AuditEvent['via'][];
export const OUTCOMES = ['ok', 'refused', 'failed'] as const satisfies AuditEvent['outcome'][];

export const FILTERS = ['user', 'via', 'outcome', 'target', 'from', 'to'] as const;

const ROWS = '50';

/**
 * Converts a local day such as `2026-11-02` to its first or last millisecond, as an ISO time in UTC. Returns `null`
 * for any other text.
 */
function dayOf(text: string, isEnd: boolean): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(day) + (isEnd ? 1 : 0));
  return new Date(start.getTime() - (isEnd ? 1 : 0)).toISOString();
}

/** Converts the audit log filters in the URL to query parameters of the API. Invalid filters are ignored. */
export function auditQuery(search: Record<string, unknown>): AuditRequest {
  const text = (name: string) => (search[name] === undefined ? '' : String(search[name]).trim());
  const one = <V extends string>(all: readonly V[], name: string) => all.find((value) => value === text(name));
  const [via, outcome] = [one(VIAS, 'via'), one(OUTCOMES, 'outcome')];
  const [from, to] = [dayOf(text('from'), false), dayOf(text('to'), true)];
  return {
    ...(text('user') !== '' && { user: text('user') }),
    ...(via && { via }),
    ...(outcome && { outcome }),
    ...(text('target') !== '' && { target: text('target') }),
    ...(from && { from }),
    ...(to && { to }),
    ...(/^\d{1,9}$/.test(text('before')) && { before: text('before') }),
    limit: ROWS,
  };
}
