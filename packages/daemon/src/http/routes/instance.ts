import { CA_FILE, operations, PEM_TYPE } from '@davit/api';
import { instanceAuthority } from '../../auth/instance-authority.ts';
import { checkInstance, repairInstance } from '../../resources/instance/checks.ts';
import { readInstance } from '../../resources/instance/instance.ts';
import { replaceRecoveryKey } from '../../resources/instance/recovery-key.ts';
import { checkPlatformImages } from '../../resources/platform-images/platform-image.ts';
import { type Binding, bind, noContent, ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const instanceRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getInstance, ({ ctx }) => ok(readInstance(core, ctx))),
  bind(operations.getInstanceCa, async () => {
    const { certificate } = await instanceAuthority(core);
    const headers = { 'Content-Type': PEM_TYPE, 'Content-Disposition': `attachment; filename="${CA_FILE}"` };
    return { status: 200, body: certificate, headers };
  }),
  bind(operations.checkInstance, async ({ ctx }) => ok({ checks: await checkInstance(core, ctx) })),
  bind(operations.repairInstance, async ({ ctx }) => ok(await repairInstance(core, ctx))),
  bind(operations.replaceRecoveryKey, async ({ ctx, body }) => {
    await replaceRecoveryKey(core, ctx, body);
    return noContent();
  }),
  bind(operations.checkPlatformImages, ({ ctx }) => ({ status: 202, body: checkPlatformImages(core, ctx) })),
];
