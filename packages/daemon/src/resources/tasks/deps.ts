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
  /** Runs tasks in the background. `task-kinds.ts` lists all kinds of tasks. */
  tasks: Tasks;
}
