import { operations } from '@davit/api';
import { readInstance } from '../../resources/instance/instance.ts';
import { checkPlatformImages } from '../../resources/platform-images/platform-image.ts';
import { type Binding, bind, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const instanceRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getInstance, ({ ctx }) => ok(readInstance(core, ctx))),
  bind(operations.checkPlatformImages, ({ ctx }) => ({ status: 202, body: checkPlatformImages(core, ctx) })),
];
