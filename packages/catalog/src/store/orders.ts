import type { TemplateRow } from './template.ts';
import type { Sort } from './types.ts';

/**
 * Sort order of a template list. Templates are sorted by sort key, and templates with the same sort key by id. Both are
 * descending.
 */
export interface Order {
  name: Sort;
  /** Column of the table `templates` that contains the sort key. */
  key: 'published' | 'stars';
  /**
   * Gap between the row ids of neighboring templates with different sort keys. The gap is large for `stars`, because
   * the row ids of most new templates must fit into one gap. Most new templates have no stars.
   */
  keyGap: number;
}

/**
 * Default gap between the row ids of neighboring templates. New templates get row ids in these gaps. Larger gaps would
 * make the full-text index larger.
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

/** Compares the positions of two templates in a sorted template list, for `Array.sort`. */
export function bySpot(a: Spot, b: Spot): number {
  return b.key - a.key || b.id - a.id;
}
