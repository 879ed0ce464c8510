import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { Engine } from '../adapters/engine/engine.ts';
import type { AppSpecDeps } from '../app-spec/deps.ts';
import type { TrashDeps } from '../trash/deps.ts';

/** Dependencies of the functions in this folder. */
export interface ManagedServicesDeps extends AppSpecDeps, TrashDeps {
  engine: Engine;
  /** Queue of changes for each managed service. See `managed-services/turn.ts` for the keys. */
  residentTurns: KeyedQueue<string>;
}
