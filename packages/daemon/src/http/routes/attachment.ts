import { operations } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import {
  type AppNamed,
  type AttachmentChange,
  changeAttachment,
  deployAttachment,
  planAttachment,
} from '../../resources/attachments/attachment.ts';
import { databaseAttachment, ofBucket } from '../../resources/attachments/targets.ts';
import { readDatabase } from '../../resources/databases/database.ts';
import { readStore } from '../../resources/object-stores/object-store.ts';
import { type Binding, bind, ok, type Reply } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begun as begunDeployment } from './begun.ts';

export const attachmentRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.attachDatabase, ({ ctx, target, params, query, body }) =>
    change(core, ctx, databaseAttachment(target, params.app ?? '', body.prefix), query, () =>
      readDatabase(core, ctx, target),
    ),
  ),
  bind(operations.detachDatabase, ({ ctx, target, params, query }) =>
    change(core, ctx, databaseAttachment(target, params.app ?? '', null), query, () => readDatabase(core, ctx, target)),
  ),
  bind(operations.attachBucket, ({ ctx, target, params, query, body }) =>
    change(core, ctx, ofBucket(target, params.bucket ?? '', appOf(params), body.prefix), query, () =>
      readStore(core, ctx, target),
    ),
  ),
  bind(operations.detachBucket, ({ ctx, target, params, query }) =>
    change(core, ctx, ofBucket(target, params.bucket ?? '', appOf(params), null), query, () =>
      readStore(core, ctx, target),
    ),
  ),
];

/**
 * Changes an app's attachment to a database or bucket. Deploys the change only if `deploy` is set. With `dry_run`,
 * changes nothing.
 * @param read returns the database or object store after the change
 */
async function change(
  core: HttpDeps,
  ctx: OpContext,
  attachment: AttachmentChange,
  { deploy, dry_run }: { deploy?: boolean | undefined; dry_run?: boolean | undefined },
  read: () => unknown,
): Promise<Reply> {
  if (dry_run) return ok(await planAttachment(core, ctx, attachment));
  if (deploy) return begunDeployment(await deployAttachment(core, ctx, attachment));
  changeAttachment(core, ctx, attachment);
  return ok(await read());
}

function appOf({ project = '', environment = '', app = '' }: Record<string, string>): AppNamed {
  return { project, environment, app };
}
