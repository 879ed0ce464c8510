import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/** An order of listings: by the key, the greatest first, then by id, the greatest first. */
export interface Order {
  name: Sort;
  /** The column of a template that is its key. */
  key: 'published' | 'stars';
  /**
   * How far apart the ranks of neighbours with different keys are put. Most repositories have no stars, and each that
   * is new goes to the front of those: there has to be room for many.
   */
  keyGap: number;
}

/** How far apart ranks are put, so that others fit in between. A wider gap makes the index larger. */
export const GAP = 64;

export const ORDERS: Record<Sort, Order> = {
  recent: { name: 'recent', key: 'published', keyGap: GAP },
  stars: { name: 'stars', key: 'stars', keyGap: 2 ** 20 },
};

/** Where a template belongs in an order. */
export interface Spot {
  key: number;
  id: number;
}

export function spotOf(order: Order, row: TemplateRow): Spot {
  return { key: row[order.key], id: row.id };
}

/** Sorts the first of a list to the front. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
