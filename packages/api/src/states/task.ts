/** Statuses of a background task. The daemon and all clients use this file. */

export const TASK_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Statuses of an unfinished background task. Each resource can have at most one unfinished task. */
export const OPEN_TASK_STATUSES = ['pending', 'running'] as const satisfies readonly TaskStatus[];

export function isTaskOpen(status: TaskStatus): boolean {
  return (OPEN_TASK_STATUSES as readonly TaskStatus[]).includes(status);
}
