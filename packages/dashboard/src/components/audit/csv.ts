import type { AuditEvent } from '@davit/api';
import { operationInWords } from './words.ts';

const COLUMNS: readonly (readonly [name: string, value: (row: AuditEvent) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['user', ({ actor }) => actor],
  ['key', ({ key }) => key?.name ?? null],
  ['via', ({ via }) => via],
  ['ip', ({ ip }) => ip],
  ['operation', ({ operation }) => operation],
  ['what', ({ operation }) => operationInWords(operation)],
  ['target', ({ target }) => target],
  ['outcome', ({ outcome }) => outcome],
  ['status', ({ status }) => status],
  ['times', ({ times }) => times],
  ['hash', ({ hash }) => hash],
];

/**
 * Formats a CSV cell as RFC 4180 requires. A cell that a spreadsheet would execute as a formula gets a leading
 * apostrophe.
 */
function cell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(rows: readonly AuditEvent[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...rows.map((row) => COLUMNS.map(([, value]) => cell(value(row))))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}
