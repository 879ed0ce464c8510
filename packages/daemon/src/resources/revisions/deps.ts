import type { AppsDeps } from '../apps/deps.ts';
import type { VariablesDeps } from '../variables/deps.ts';

/** What the functions of this folder work with. */
export interface RevisionsDeps extends AppsDeps, VariablesDeps {}
