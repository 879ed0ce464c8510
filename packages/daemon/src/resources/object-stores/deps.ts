import type { AddressRule, Logger } from '@davit/service';
import type { ImageReferencesDeps } from '../../image-references/deps.ts';
import type { ManagedServicesDeps } from '../../managed-services/deps.ts';
import type { AppsDeps } from '../apps/deps.ts';
import type { ImagesDeps } from '../images/deps.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { TcpPortsDeps } from '../tcp-ports/deps.ts';

/** What the functions of this folder work with. */
export interface ObjectStoresDeps extends ImageReferencesDeps, ManagedServicesDeps, AppsDeps, ImagesDeps, TcpPortsDeps {
  /** Whether the instance connects to an address that a user without rights for all projects names. */
  isOpenAddress: AddressRule;
  /** Of work that no request waits for. */
  log: Logger;
  /** Long work that is no deployment: see `resources/tasks/kind.ts` for what a kind is, `task-kinds.ts` for those there are. */
  tasks: Tasks;
  /** The same of object stores that the instance runs. */
  nudgeStores: () => void;
}
