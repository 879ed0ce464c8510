/** Every kind of task that there is. */
import type { Core } from './core/core.ts';
import { type AnyTaskKind, anyKind } from './tasks/kind.ts';

export const TASK_KINDS: readonly AnyTaskKind<Core>[] = [];
