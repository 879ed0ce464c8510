import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { DatabasesDeps } from '../databases/deps.ts';
import type { ObjectStoresDeps } from '../object-stores/deps.ts';

/** What the functions of this folder work with. */
export interface BackupsDeps extends DatabasesDeps, ObjectStoresDeps {
  /** Where everything that is done is written down. */
  audit: AuditLog;
  /** Asks for the times of backups to be looked at soon; for changes of them. */
  nudgeBackups: () => void;
}
