import type { ImageRegistry } from '../../adapters/registry/registry.ts';
import type { Store } from '../../db/store.ts';
import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { Deploys } from '../deployments/deploys.ts';

/** What the functions of this folder work with. */
export interface PushesDeps {
  store: Store;
  /** Where everything that is done is written down. */
  audit: AuditLog;
  /** The instance's own one, where apps are pushed to. */
  registry: ImageRegistry;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Why nothing that brings a new image may begin, in a sentence: the disk is nearly full. Null: there is room. */
  diskGuard: () => string | null;
  deploys: Deploys;
}
