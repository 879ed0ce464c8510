import type { Store } from '../../db/store.ts';
import type { LogsDeps } from '../logs/deps.ts';
import type { Live } from './broadcast.ts';

/** What the functions of this folder work with. */
export interface EventsDeps extends LogsDeps {
  store: Store;
  /** What happens, as it happens. */
  live: Live;
  /** Warnings for operators. @param projects those that the reader sees; `null` for all */
  warnings: (projects: readonly number[] | null) => string[];
}
