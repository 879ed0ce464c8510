import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** Sort order of a listing: descending by sort key. Templates with the same sort key are sorted descending by id. */
export interface Order {
  name: Sort;
  /** Column of the table `templates` that contains the sort key. */
  key: 'published' | 'stars';
  /**
   * Distance between the ranks of two neighboring templates with different sort keys. For the order by stars, the
   * distance is large. Most templates have no stars, and each new template needs a rank before all other templates
   * without stars.
   */
  keyGap: number;
}

/**
 * Default distance between the ranks of two neighboring templates. The distance leaves free ranks for new templates. A
 * larger distance makes the full-text index larger.
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

/** Compares the positions of two templates in a list, for use with `Array.sort`. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
