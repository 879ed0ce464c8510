/** Which tasks are listed, as the address says it. */
import { TASK_STATUSES, type TaskStatus } from '@davit/api';

export const TASK_FILTERS: readonly { value: TaskStatus | ''; label: string }[] = [
  { value: '', label: 'Any status' },
  ...TASK_STATUSES.map((value) => ({ value, label: value })),
];

/** What the list is asked with; a status that there is not is no filter. */
export function taskFilter(text: unknown): { status?: TaskStatus } {
  const status = TASK_STATUSES.find((one) => one === text);
  return status === undefined ? {} : { status };
}
