import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { RunsDeps } from '../runs/deps.ts';

/** What the functions of this folder work with. */
export interface SchedulesDeps extends RunsDeps {
  /** Where everything that is done is written down. */
  audit: AuditLog;
  /** Asks for the times of schedules to be looked at soon; for changes of them. */
  nudgeSchedules: () => void;
}
