/** The states of a task: shared by the daemon's guards and by every client's buttons. */

export const TASK_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What has begun and not ended: of one subject there is at most one such. */
export const OPEN_TASK_STATUSES = ['pending', 'running'] as const satisfies readonly TaskStatus[];

export function isTaskOpen(status: TaskStatus): boolean {
  return (OPEN_TASK_STATUSES as readonly TaskStatus[]).includes(status);
}
