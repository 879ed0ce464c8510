import { invalidField } from '@davit/api';
import type { Page, PageQuery } from './paging.ts';
import { pathNumber } from './path-number.ts';

const PAGE = 50;

/**
 * Returns one page of database rows, newest first.
 * @param read returns at most `limit` rows with ids below `before`, newest first
 * @throws DavitError invalid_input
 */
export function numberedPage<R>(
  query: PageQuery,
  numberOf: (row: R) => number,
  read: (limit: number, before: number | null) => R[],
): Page<R> {
  const limit = query.limit ?? PAGE;
  const rows = read(limit + 1, query.cursor === undefined ? null : parseCursor(query.cursor));
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? String(numberOf(last)) : null };
}

function parseCursor(cursor: string): number {
  const before = pathNumber(cursor);
  if (before === undefined) throw invalidField('cursor', 'invalid_value', 'must be the cursor from an earlier page.');
  return before;
}
