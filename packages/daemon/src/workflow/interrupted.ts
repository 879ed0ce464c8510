import { LeftRunning } from '../adapters/engine/errors.ts';

/** The daemon is stopping. The work stays as it is recorded, and continues at the next start. */
export class Interrupted extends LeftRunning {
  override name = 'Interrupted';

  constructor() {
    super('The instance is stopping and continues this work after its next start. Send the request again then.');
  }
}
