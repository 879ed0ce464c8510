import type { App, AppStatus } from '@davit/api';

/** Number of apps for each status, with the worst status first. A status that no app has is omitted. */
export interface Tally {
  total: number;
  parts: [status: AppStatus, apps: number][];
}

export const WORST_FIRST: readonly AppStatus[] = ['down', 'degraded', 'running', 'pending', 'stopped'];

export function tallyOf(apps: readonly Pick<App, 'status'>[]): Tally {
  const parts = WORST_FIRST.map((status): [AppStatus, number] => [
    status,
    apps.filter((app) => app.status === status).length,
  ]);
  return { total: apps.length, parts: parts.filter(([, n]) => n > 0) };
}
