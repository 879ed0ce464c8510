import { invalidField } from '@davit/api';
import type { Page, PageAsk } from './paging.ts';
import { pathNumber } from './path-number.ts';

const PAGE = 50;

/**
 * A page of a list that is numbered and shown newest first, of which only as much is read as is shown.
 * @param read the newest so many rows before a number, or of all for null
 * @throws DavitError invalid_input for a cursor that was never given out
 */
export function numberedPage<R>(
  ask: PageAsk,
  numberOf: (row: R) => number,
  read: (limit: number, before: number | null) => R[],
): Page<R> {
  const limit = ask.limit ?? PAGE;
  const rows = read(limit + 1, ask.cursor === undefined ? null : parseCursor(ask.cursor));
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? String(numberOf(last)) : null };
}

function parseCursor(cursor: string): number {
  const before = pathNumber(cursor);
  if (before === undefined) throw invalidField('cursor', 'invalid_value', 'must be one that a page before named.');
  return before;
}
