import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';
import type { Tasks } from './tasks.ts';

export interface TasksDeps {
  store: Store;
  sealer: Sealer;
  engine: Engine;
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  /** Task runner. `resources/tasks/kind.ts` describes the interface of task kinds, and `task-kinds.ts` lists them. */
  tasks: Tasks;
}
