import type { App, AppStatus } from '@davit/api';
import type { AppFigures, FiguresOf } from '../apps/figures.ts';

export const APP_ORDERS = ['worst', 'name', 'requests', 'cpu', 'memory'] as const;
export type AppOrder = (typeof APP_ORDERS)[number];

const RANK: Record<AppStatus, number> = { down: 0, degraded: 1, running: 2, pending: 3, stopped: 4 };

const WEIGHT: Partial<Record<AppOrder, (figures: AppFigures) => number>> = {
  requests: ({ requests_per_s }) => requests_per_s ?? 0,
  cpu: ({ cpu_percent }) => cpu_percent,
  memory: ({ memory_bytes }) => memory_bytes,
};

type Sorted = Pick<App, 'reference' | 'status'>;

/** Sorts apps by worst status or highest usage, and then by name. An app without measurements has usage 0. */
export function inOrder<A extends Sorted>(
  apps: readonly A[],
  order: AppOrder,
  figuresOf: FiguresOf = () => undefined,
): A[] {
  const weigh = WEIGHT[order];
  const weight = ({ reference }: A) => {
    const figures = figuresOf(reference);
    return weigh && figures ? weigh(figures) : 0;
  };
  const rank = ({ status }: A) => (order === 'worst' ? RANK[status] : 0);
  const byName = (a: A, b: A) => (a.reference < b.reference ? -1 : 1);
  return [...apps].sort((a, b) => rank(a) - rank(b) || weight(b) - weight(a) || byName(a, b));
}

/**
 * Returns the apps that match the filter text. Each word of the filter text must occur in the app's reference, status
 * or live tag.
 */
export function matching<A extends Sorted & Pick<App, 'live_tag'>>(apps: readonly A[], text: string): readonly A[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return apps;
  return apps.filter(({ reference, status, live_tag }) => {
    const said = `${reference} ${status} ${live_tag ?? ''}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
