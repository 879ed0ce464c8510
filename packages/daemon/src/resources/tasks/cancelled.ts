/** Reason for the abort of a running task. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'The task was cancelled.') {
    super(message);
  }
}
