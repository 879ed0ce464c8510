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
   * Monotonic clock in milliseconds. It does not change with the system time, so use it only to calculate durations.
   */
  running: () => number;
  /** Runs tasks in the background. `task-kinds.ts` lists all kinds of tasks. */
  tasks: Tasks;
  /** Updates of the container images that this instance builds. */
  platform: PlatformUpdates;
}
