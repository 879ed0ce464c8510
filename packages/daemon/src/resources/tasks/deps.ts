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
  /** Task runner. The interface of task kinds is in `resources/tasks/kind.ts`, their list is in `task-kinds.ts`. */
  tasks: Tasks;
}
