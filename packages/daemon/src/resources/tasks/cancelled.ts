/** Error with which a task is aborted when a user cancels it. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'The task was canceled.') {
    super(message);
  }
}
