/** Why a running task was told to stop. */
export class TaskCancelled extends Error {
  override name = 'TaskCancelled';

  constructor(message = 'It was cancelled.') {
    super(message);
  }
}
