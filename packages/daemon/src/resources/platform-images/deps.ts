import type { InstanceSettings } from '@davit/api';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { PlatformUpdates } from './updates.ts';

/** Dependencies of the functions in this folder. */
export interface PlatformImagesDeps {
  store: Store;
  audit: AuditLog;
  /** Returns the current settings of the instance. */
  settings: () => InstanceSettings;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Time that this process has run, in milliseconds, independent of the system clock. Only differences are meaningful.
   */
  running: () => number;
  /** Task runner. `resources/tasks/kind.ts` defines task kinds, and `task-kinds.ts` lists them. */
  tasks: Tasks;
  /** Updates of the images that the instance builds. */
  platform: PlatformUpdates;
}
