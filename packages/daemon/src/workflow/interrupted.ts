import { LeftRunning } from '../adapters/engine/errors.ts';

/**
 * Error for a deployment or task that stops because the daemon stops. After its next start, the daemon continues the
 * deployment or task with the steps in the database.
 */
export class Interrupted extends LeftRunning {
  override name = 'Interrupted';

  constructor() {
    super('The instance is stopping. It continues work in progress after its next start; send the request again then.');
  }
}
