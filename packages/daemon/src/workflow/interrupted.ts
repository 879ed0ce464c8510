import { LeftRunning } from '../adapters/engine/errors.ts';

/**
 * Error for a deployment or task that stops because the daemon stops. The next start of the daemon continues it from
 * the steps in the database.
 */
export class Interrupted extends LeftRunning {
  override name = 'Interrupted';

  constructor() {
    super('The instance is stopping and continues the started work after its next start. Send the request again then.');
  }
}
