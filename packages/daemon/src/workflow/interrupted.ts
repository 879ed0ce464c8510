import { LeftRunning } from '../adapters/engine/errors.ts';

/** The daemon is going down: the deployment stays as it is on disk and is taken up at the next start. */
export class Interrupted extends LeftRunning {
  override name = 'Interrupted';

  constructor() {
    super('The instance is stopping; what you wait for goes on after its start: ask again then.');
  }
}
