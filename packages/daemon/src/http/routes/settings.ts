import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { patchSettings, putSettings, readSettings } from '../../core/settings.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const settingsRoutes = (core: Core): Binding[] => [
  bind(operations.getSettings, ({ ctx }) => ok(readSettings(core, ctx))),
  bind(operations.patchSettings, ({ ctx, body }) => ok(patchSettings(core, ctx, body))),
  bind(operations.putSettings, ({ ctx, body }) => ok(putSettings(core, ctx, body))),
];
