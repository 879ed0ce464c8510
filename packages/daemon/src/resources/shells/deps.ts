import type { Engine } from '../../adapters/engine/engine.ts';
import type { Store } from '../../db/store.ts';

/** Dependencies of the functions in this folder. */
export interface ShellsDeps {
  store: Store;
  engine: Engine;
}
