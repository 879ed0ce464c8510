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
 * Returns the first or last millisecond of a local day such as `2026-11-02`, as ISO time in UTC. Returns `null` for
 * other text.
 */
function dayOf(text: string, isEnd: boolean): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(day) + (isEnd ? 1 : 0));
  return new Date(start.getTime() - (isEnd ? 1 : 0)).toISOString();
}

/** Converts the filters in the URL of the audit log page into a query of the API. Invalid filters are ignored. */
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
