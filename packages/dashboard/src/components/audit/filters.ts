/** The filters of the audit page stand in its address; this is what they ask of the API. */
import type { AuditEvent } from '@davit/api';
import type { Args } from '../../api.ts';

export type AuditAsk = NonNullable<Args<'listAudit'>['query']>;

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

/** Rows of a page. */
const ROWS = '50';

/** `2026-11-02` by the clock of this browser, to the first or the last millisecond of that day. */
function dayOf(text: string, isEnd: boolean): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(day) + (isEnd ? 1 : 0));
  return new Date(start.getTime() - (isEnd ? 1 : 0)).toISOString();
}

/** What the address asks for. What makes no sense is left out, as if it did not stand there. */
export function auditQuery(search: Record<string, unknown>): AuditAsk {
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
