import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { Engine } from '../adapters/engine/engine.ts';
import type { AppSpecDeps } from '../app-spec/deps.ts';
import type { TrashDeps } from '../trash/deps.ts';

export interface ManagedServicesDeps extends AppSpecDeps, TrashDeps {
  engine: Engine;
  /**
   * Queues for changes of databases and object stores. Each database and each object store has its own queue, so its
   * changes run one after another. The function `inTurn` builds the key of each queue.
   */
  managedServiceTurns: KeyedQueue<string>;
}
