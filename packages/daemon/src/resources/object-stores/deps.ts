import type { AddressRule, Logger } from '@davit/service';
import type { ImageReferencesDeps } from '../../image-references/deps.ts';
import type { ManagedServicesDeps } from '../../managed-services/deps.ts';
import type { AppsDeps } from '../apps/deps.ts';
import type { ImagesDeps } from '../images/deps.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { TcpPortsDeps } from '../tcp-ports/deps.ts';

/** Dependencies of the functions in this folder. */
export interface ObjectStoresDeps extends ImageReferencesDeps, ManagedServicesDeps, AppsDeps, ImagesDeps, TcpPortsDeps {
  /** Returns whether the instance may connect to an address that a user without rights for all projects names. */
  isOpenAddress: AddressRule;
  /** Log for background work. */
  log: Logger;
  /** Task runner. `resources/tasks/kind.ts` defines task kinds, and `task-kinds.ts` lists them. */
  tasks: Tasks;
  /** Triggers the reconciler of managed object stores soon. */
  nudgeStores: () => void;
}
