import type { AddressRule, Logger } from '@davit/service';
import type { ImageReferencesDeps } from '../../image-references/deps.ts';
import type { ManagedServicesDeps } from '../../managed-services/deps.ts';
import type { AppsDeps } from '../apps/deps.ts';
import type { ImagesDeps } from '../images/deps.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { TcpPortsDeps } from '../tcp-ports/deps.ts';

export interface ObjectStoresDeps extends ImageReferencesDeps, ManagedServicesDeps, AppsDeps, ImagesDeps, TcpPortsDeps {
  /** Returns whether Davit may connect to an IP address for a user who does not have permissions for all projects. */
  isOpenAddress: AddressRule;
  log: Logger;
  /**
   * Task runner. `resources/tasks/kind.ts` defines the interface of task kinds, and `task-kinds.ts` lists all task
   * kinds.
   */
  tasks: Tasks;
  /** Starts the reconciler of managed object stores soon, without waiting for its next regular run. */
  nudgeStores: () => void;
}
