/** Every kind of task that there is. */
import type { Core } from './core/core.ts';
import { createKind } from './databases/kinds/create.ts';
import { exposeKind, unexposeKind } from './databases/kinds/expose.ts';
import { restartKind, restoreKind, startKind, stopKind } from './databases/kinds/lifecycle.ts';
import { type AnyTaskKind, anyKind } from './tasks/kind.ts';

export const TASK_KINDS: readonly AnyTaskKind<Core>[] = [
  anyKind(createKind),
  anyKind(startKind),
  anyKind(stopKind),
  anyKind(restartKind),
  anyKind(restoreKind),
  anyKind(exposeKind),
  anyKind(unexposeKind),
];
