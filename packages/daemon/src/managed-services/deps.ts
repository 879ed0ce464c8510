import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { Engine } from '../adapters/engine/engine.ts';
import type { AppSpecDeps } from '../app-spec/deps.ts';
import type { TrashDeps } from '../trash/deps.ts';

export interface ManagedServicesDeps extends AppSpecDeps, TrashDeps {
  engine: Engine;
  /** Queues of changes, one for each managed service. The keys are defined in `managed-services/turn.ts`. */
  managedServiceTurns: KeyedQueue<string>;
}
