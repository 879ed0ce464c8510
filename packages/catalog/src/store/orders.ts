import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** An order of listings: descending by key, and then descending by id. */
export interface Order {
  name: Sort;
  /** Column of the template that contains the key. */
  key: 'published' | 'stars';
  /**
   * Distance between the ranks of neighbours with different keys. Most repositories have no stars, and each new
   * repository is inserted first among them. Therefore the distance must be large.
   */
  keyGap: number;
}

/** Default distance between ranks, so that others fit in between. A larger distance enlarges the index. */
export const GAP = 64;

export const ORDERS: Record<Sort, Order> = {
  recent: { name: 'recent', key: 'published', keyGap: GAP },
  stars: { name: 'stars', key: 'stars', keyGap: 2 ** 20 },
};

/** Position of a template in an order. */
export interface Spot {
  key: number;
  id: number;
}

export function spotOf(order: Order, row: TemplateRow): Spot {
  return { key: row[order.key], id: row.id };
}

/** Compares two positions for sorting. The first position of the list comes first. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
