/** Abort reason of a task's signal when a user cancels the task. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'The task was cancelled.') {
    super(message);
  }
}
