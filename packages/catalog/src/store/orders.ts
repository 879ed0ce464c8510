import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** Sort order of a listing: descending by key, and then descending by the template's id. */
export interface Order {
  name: Sort;
  /** Column of the table `templates` that contains the sort key. */
  key: 'published' | 'stars';
  /**
   * Distance between the ranks of neighbors with different keys. The distance is large for stars: most templates have
   * no stars, and each new template is inserted first among them.
   */
  keyGap: number;
}

/**
 * Default distance between ranks, so that templates can be inserted in between. A larger distance enlarges the index.
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

/** Compares two positions of a listing for `sort`. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
