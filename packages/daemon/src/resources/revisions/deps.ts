import type { AppsDeps } from '../apps/deps.ts';
import type { VariablesDeps } from '../variables/deps.ts';

export interface RevisionsDeps extends AppsDeps, VariablesDeps {}
