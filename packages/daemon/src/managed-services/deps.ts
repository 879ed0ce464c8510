import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { Engine } from '../adapters/engine/engine.ts';
import type { AppSpecDeps } from '../app-spec/deps.ts';
import type { TrashDeps } from '../trash/deps.ts';

/** What the functions of this folder work with. */
export interface ManagedServicesDeps extends AppSpecDeps, TrashDeps {
  engine: Engine;
  /** The queue of changes of each managed service's server and container: `managed-services/turn.ts` has its keys. */
  residentTurns: KeyedQueue<string>;
}
