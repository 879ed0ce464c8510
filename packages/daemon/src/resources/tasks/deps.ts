import type { InstanceSettings } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { Sealer } from '../../db/seal.ts';
import type { Store } from '../../db/store.ts';
import type { Tasks } from './tasks.ts';

/** What the functions of this folder work with. */
export interface TasksDeps {
  store: Store;
  sealer: Sealer;
  engine: Engine;
  /** What an admin has set for the whole instance, as it is now. */
  settings: () => InstanceSettings;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Long work that is no deployment: see `resources/tasks/kind.ts` for what a kind is, `task-kinds.ts` for those there are. */
  tasks: Tasks;
}
