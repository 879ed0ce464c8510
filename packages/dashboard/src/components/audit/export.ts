import type { AuditEvent } from '@davit/api';
import { api } from '../../api.ts';
import { csvOf } from './csv.ts';
import type { AuditAsk } from './filters.ts';

export type ExportFormat = 'csv' | 'json';

/**
 * Maximum number of exported rows, because more rows may not fit into a browser's memory. The API can return a larger
 * log.
 */
export const MOST_EXPORTED = 100_000;
const AT_ONCE = '500';

export interface Exported {
  rows: AuditEvent[];
  /** Whether more rows exist than the maximum. */
  cut: boolean;
}

/**
 * Returns all rows that match the filters, newest first.
 * @param onProgress called with the number of rows so far
 */
export async function readAll(ask: AuditAsk, onProgress: (rows: number) => void): Promise<Exported> {
  const { before: _, ...filters } = ask;
  const rows: AuditEvent[] = [];
  let next: number | null = null;
  do {
    const before = next === null ? {} : { before: String(next) };
    const page = await api.listAudit({ query: { ...filters, ...before, limit: AT_ONCE } });
    rows.push(...page.events);
    next = page.next;
    onProgress(rows.length);
  } while (next !== null && rows.length < MOST_EXPORTED);
  return { rows, cut: next !== null };
}

const TYPES: Record<ExportFormat, string> = { csv: 'text/csv', json: 'application/json' };

/** Downloads rows as a file. */
export function saveRows(rows: readonly AuditEvent[], format: ExportFormat): void {
  const text = format === 'csv' ? csvOf(rows) : `${JSON.stringify(rows, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: TYPES[format] }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `davit-audit-${new Date().toISOString().slice(0, 10)}.${format}`;
  link.click();
  URL.revokeObjectURL(address);
}
