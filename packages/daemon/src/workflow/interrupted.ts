import { LeftRunning } from '../adapters/engine/errors.ts';

/** Error for work that ends because the daemon stops. The work continues from its recorded state at the next start. */
export class Interrupted extends LeftRunning {
  override name = 'Interrupted';

  constructor() {
    super('The instance is stopping and continues the started work after its next start. Send the request again then.');
  }
}
