/** Reason for the abort of a running task. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'It was cancelled.') {
    super(message);
  }
}
