import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { Deploys } from '../deployments/deploys.ts';

export interface PushesDeps {
  store: Store;
  audit: AuditLog;
  registry: ImageRegistry;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /** Returns an error message if the disk is too full to deploy new images. Returns `null` if there is enough space. */
  diskGuard: () => string | null;
  deploys: Deploys;
}
