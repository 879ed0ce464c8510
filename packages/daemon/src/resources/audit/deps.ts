import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';

/** What the functions of this folder work with. */
export interface AuditDeps {
  store: Store;
  sealer: Sealer;
  /** Where everything that is done is written down. */
  audit: AuditLog;
}
