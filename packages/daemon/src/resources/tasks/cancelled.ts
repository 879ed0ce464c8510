/** Abort reason of a task that a user has canceled. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'The task was canceled.') {
    super(message);
  }
}
