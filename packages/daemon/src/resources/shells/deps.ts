import type { Engine } from '../../adapters/engine/engine.ts';
import type { Store } from '../../db/store.ts';

/** What the functions of this folder work with. */
export interface ShellsDeps {
  store: Store;
  engine: Engine;
}
