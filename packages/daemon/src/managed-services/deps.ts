import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { Engine } from '../adapters/engine/engine.ts';
import type { AppSpecDeps } from '../app-spec/deps.ts';
import type { TrashDeps } from '../trash/deps.ts';

export interface ManagedServicesDeps extends AppSpecDeps, TrashDeps {
  engine: Engine;
  /**
   * Queues for changes of databases and object stores. Each database or object store has its own queue, so that its
   * changes run one after another. `inTurn` builds the keys of the queues.
   */
  managedServiceTurns: KeyedQueue<string>;
}
