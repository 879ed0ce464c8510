import type { InstanceSettings } from '@davit/api';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { PlatformUpdates } from './updates.ts';

export interface PlatformImagesDeps {
  store: Store;
  audit: AuditLog;
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Returns a time in milliseconds from a monotonic clock, which changes of the system clock do not affect. Only
   * differences are meaningful.
   */
  running: () => number;
  /** Task runner. `resources/tasks/kind.ts` describes the interface of task kinds, and `task-kinds.ts` lists them. */
  tasks: Tasks;
  /** Updates of the container images that this instance builds. */
  platform: PlatformUpdates;
}
