import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** Sort order of a listing: descending by sort key. Templates with the same sort key are sorted descending by id. */
export interface Order {
  name: Sort;
  /** Column of the table `templates` that contains the sort key. */
  key: 'published' | 'stars';
  /**
   * Gap between the row ids of neighboring templates with different sort keys. The gap is large for `stars`, because
   * the row ids of most new templates, which have no stars, must fit into one gap.
   */
  keyGap: number;
}

/**
 * Default gap between the row ids of neighboring templates, for new templates. Larger gaps would make the full-text
 * index larger.
 */
export const GAP = 64;

export const ORDERS: Record<Sort, Order> = {
  recent: { name: 'recent', key: 'published', keyGap: GAP },
  stars: { name: 'stars', key: 'stars', keyGap: 2 ** 20 },
};

export interface Spot {
  key: number;
  id: number;
}

export function spotOf(order: Order, row: TemplateRow): Spot {
  return { key: row[order.key], id: row.id };
}

/** Compares the positions of two templates in a sorted template list. Used with `Array.sort`. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
