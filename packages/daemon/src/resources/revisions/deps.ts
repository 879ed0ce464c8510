import type { AppsDeps } from '../apps/deps.ts';
import type { VariablesDeps } from '../variables/deps.ts';

/** Dependencies of the functions in this folder. */
export interface RevisionsDeps extends AppsDeps, VariablesDeps {}
