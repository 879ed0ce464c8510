import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { Engine } from '../adapters/engine/engine.ts';
import type { AppSpecDeps } from '../app-spec/deps.ts';
import type { TrashDeps } from '../trash/deps.ts';

export interface ManagedServicesDeps extends AppSpecDeps, TrashDeps {
  engine: Engine;
  /** Queues of changes, one for each database or object store. `managed-services/turn.ts` defines the keys. */
  managedServiceTurns: KeyedQueue<string>;
}
