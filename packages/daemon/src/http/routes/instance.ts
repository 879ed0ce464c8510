import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { readInstance } from '../../core/instance.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const instanceRoutes = (core: Core): Binding[] => [
  bind(operations.getInstance, ({ ctx }) => ok(readInstance(core, ctx))),
];
