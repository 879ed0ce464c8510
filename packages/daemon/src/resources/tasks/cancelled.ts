/** Error that aborts the signal of a running task when a user cancels the task. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'The task was cancelled.') {
    super(message);
  }
}
