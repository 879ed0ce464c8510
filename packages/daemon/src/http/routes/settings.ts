import { operations } from '@davit/api';
import { patchSettings, putSettings, readSettings } from '../../resources/instance/settings.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const settingsRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getSettings, ({ ctx }) => ok(readSettings(core, ctx))),
  bind(operations.patchSettings, ({ ctx, query, body }) => ok(patchSettings(core, ctx, body, query.confirm))),
  bind(operations.putSettings, ({ ctx, query, body }) => ok(putSettings(core, ctx, body, query.confirm))),
];
