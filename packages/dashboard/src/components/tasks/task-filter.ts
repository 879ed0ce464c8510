/** Options of the status filter in the list of tasks. */
import { TASK_STATUSES, type TaskStatus } from '@davit/api';

export const TASK_FILTERS: readonly { value: TaskStatus | ''; label: string }[] = [
  { value: '', label: 'Any status' },
  ...TASK_STATUSES.map((value) => ({ value, label: value })),
];

/** Converts the status filter in the URL to query parameters of the API. An unknown status is ignored. */
export function taskFilter(text: unknown): { status?: TaskStatus } {
  const status = TASK_STATUSES.find((one) => one === text);
  return status === undefined ? {} : { status };
}
