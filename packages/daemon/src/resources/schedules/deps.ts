import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { RunsDeps } from '../runs/deps.ts';

export interface SchedulesDeps extends RunsDeps {
  audit: AuditLog;
  /** Triggers a check for due schedules, for example after a schedule was changed. */
  nudgeSchedules: () => void;
}
