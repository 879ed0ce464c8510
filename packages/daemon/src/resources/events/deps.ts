import type { Store } from '../../db/store.ts';
import type { LogsDeps } from '../logs/deps.ts';
import type { Live } from './broadcast.ts';

export interface EventsDeps extends LogsDeps {
  store: Store;
  live: Live;
  /**
   * Returns the current warnings for operators of the instance.
   * @param projects ids of the projects that the user can see, or `null` for all projects
   */
  warnings: (projects: readonly number[] | null) => string[];
}
