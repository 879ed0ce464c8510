import type { Engine } from '../../adapters/engine/engine.ts';
import type { Store } from '../../db/store.ts';

export interface ShellsDeps {
  store: Store;
  engine: Engine;
}
