import type { InstanceSettings } from '@davit/api';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { PlatformUpdates } from './updates.ts';

/** What the functions of this folder work with. */
export interface PlatformImagesDeps {
  store: Store;
  /** Where everything that is done is written down. */
  audit: AuditLog;
  /** What an admin has set for the whole instance, as it is now. */
  settings: () => InstanceSettings;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds that this process has run, which nobody sets; what counts is the difference of two. */
  running: () => number;
  /** Long work that is no deployment: see `resources/tasks/kind.ts` for what a kind is, `task-kinds.ts` for those there are. */
  tasks: Tasks;
  /** Keeps the images that the instance runs itself on the newest packages. */
  platform: PlatformUpdates;
}
