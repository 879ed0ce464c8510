import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** Sort order of a listing: descending by sort key. Templates with the same sort key are sorted descending by id. */
export interface Order {
  name: Sort;
  /** Column of the table `templates` that contains the sort key. */
  key: 'published' | 'stars';
  /**
   * Each template in a sorted list has a row id. This is the gap between the row ids of two neighbors with different
   * sort keys. The gap is large in the list that is sorted by stars, because most new templates have no stars. They are
   * inserted before all other templates without stars.
   */
  keyGap: number;
}

/**
 * Default gap between the row ids of two neighboring templates in a list. New templates get row ids inside the gap.
 * Larger gaps would make the full-text index larger.
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
