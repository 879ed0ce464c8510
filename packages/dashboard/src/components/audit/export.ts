import type { AuditEvent } from '@davit/api';
import { api } from '../../api.ts';
import { csvOf } from './csv.ts';
import type { AuditRequest } from './filters.ts';

export type ExportFormat = 'csv' | 'json';

/** Maximum number of audit log entries in an export. A larger export might exceed the memory of the browser. */
export const MOST_EXPORTED = 100_000;
const AT_ONCE = '500';

export interface Exported {
  rows: AuditEvent[];
  /** Whether the export is incomplete, because too many audit log entries match the filters. */
  cut: boolean;
}

/**
 * Fetches all audit log entries that match the filters, newest first.
 * @param onProgress called with the number of fetched entries after each page
 */
export async function readAll(request: AuditRequest, onProgress: (rows: number) => void): Promise<Exported> {
  const { before: _, ...filters } = request;
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

/** Downloads audit log entries as a JSON or CSV file. */
export function saveRows(rows: readonly AuditEvent[], format: ExportFormat): void {
  const text = format === 'csv' ? csvOf(rows) : `${JSON.stringify(rows, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: TYPES[format] }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `davit-audit-${new Date().toISOString().slice(0, 10)}.${format}`;
  link.click();
  URL.revokeObjectURL(address);
}
