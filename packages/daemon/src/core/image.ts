/** The images that are held for releases: what is kept and why, and the collection of the rest when a person asks. */
import type { HeldImage, ImageCollection } from '@davit/api';
import type { OpContext } from '../context.ts';
import { collectImages as collect, type JudgedImage, judgeImages, whatGoes } from '../release/collection.ts';
import { deploymentById } from '../store/deployment.ts';
import { appOfRelease } from '../store/release.ts';
import type { Core } from './core.ts';
import { sees } from './lookup.ts';
import { type Page, type PageAsk, pageOf } from './paging.ts';

/** Those of the projects that the actor sees, by tag. */
export async function listImages(core: Core, ctx: OpContext, ask: PageAsk = {}): Promise<Page<HeldImage>> {
  return pageOf(seen(core, ctx, await judgeImages(core)), (image) => image.tag, ask);
}

/** What goes, or with `dryRun` what would. */
export async function collectImages(core: Core, ctx: OpContext, dryRun: boolean): Promise<ImageCollection> {
  const { images, names, freedBytes } = dryRun ? await whatGoes(core) : await collect(core);
  return {
    dry_run: dryRun,
    images: seen(core, ctx, images),
    // A name says nothing of whose it is: who sees some projects only is not told of any.
    names: ctx.actor.projects === null ? names.map(({ reference }) => reference) : [],
    freed_bytes: freedBytes,
  };
}

/** What a forgotten app left behind belongs to no project, and is shown to those who see all of them. */
function seen({ store }: Core, { actor }: OpContext, images: JudgedImage[]): HeldImage[] {
  return images.flatMap(({ tag, imageId, sizeBytes, deployment, keptFor }) => {
    const row = deploymentById(store, deployment);
    const app = row && appOfRelease(store, row.app_id);
    if (app === undefined ? actor.projects !== null : !sees(actor, app.project.id)) return [];
    return [
      {
        tag,
        app: app?.reference ?? null,
        deployment: row?.id ?? null,
        image_id: imageId,
        size_bytes: sizeBytes,
        kept_for: keptFor,
      },
    ];
  });
}
