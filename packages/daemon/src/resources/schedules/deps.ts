import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { RunsDeps } from '../runs/deps.ts';

/** Dependencies of the functions in this folder. */
export interface SchedulesDeps extends RunsDeps {
  audit: AuditLog;
  /** Triggers a check of all schedules soon, after a change of a schedule. */
  nudgeSchedules: () => void;
}
