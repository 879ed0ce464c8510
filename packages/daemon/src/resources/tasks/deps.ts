import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';
import type { Tasks } from './tasks.ts';

/** Dependencies of the functions in this folder. */
export interface TasksDeps {
  store: Store;
  sealer: Sealer;
  engine: Engine;
  /** Returns the current settings of the instance. */
  settings: () => InstanceSettings;
  /** Current time in milliseconds since the epoch. */
  now: () => number;
  /** Task runner. `resources/tasks/kind.ts` defines task kinds, and `task-kinds.ts` lists them. */
  tasks: Tasks;
}
