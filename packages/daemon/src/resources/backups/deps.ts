import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { DatabasesDeps } from '../databases/deps.ts';
import type { ObjectStoresDeps } from '../object-stores/deps.ts';

export interface BackupsDeps extends DatabasesDeps, ObjectStoresDeps {
  audit: AuditLog;
  /** Starts the background job that runs scheduled backups. Call this function after a change of a backup schedule. */
  nudgeBackups: () => void;
}
