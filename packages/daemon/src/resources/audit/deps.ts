import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';

export interface AuditDeps {
  store: Store;
  sealer: Sealer;
  audit: AuditLog;
}
