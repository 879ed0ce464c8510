import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { Deploys } from '../deployments/deploys.ts';

/** Dependencies of the functions in this folder. */
export interface PushesDeps {
  store: Store;
  audit: AuditLog;
  /** Registry of the instance. */
  registry: ImageRegistry;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /**
   * Returns why no deployment may bring a new image (the disk is nearly full), as a sentence, or `null` if there is
   * space.
   */
  diskGuard: () => string | null;
  deploys: Deploys;
}
