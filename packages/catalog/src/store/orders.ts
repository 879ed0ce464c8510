import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** Sort order of a listing: descending by sort key. Templates with the same sort key are sorted descending by id. */
export interface Order {
  name: Sort;
  /** Column of the table `templates` that contains the sort key. */
  key: 'published' | 'stars';
  /**
   * Distance between the ranks of neighbors whose sort keys differ. The distance is large for stars, because most
   * templates have no stars, and each new template is inserted before all of these.
   */
  keyGap: number;
}

/**
 * Default distance between the ranks of neighboring templates. New templates get ranks in between. A larger distance
 * enlarges the index.
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

/** Compares two positions of a listing, for use with `Array.sort`. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
