/** API functions for the container images that Davit keeps for releases, and for their garbage collection. */
import type { HeldImage, ImageCollection } from '@davit/api';
import { heldTag } from '../../adapters/engine/names.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, sees } from '../../authorization/lookup.ts';
import { deploymentById } from '../../db/tables/deployment.ts';
import { missingImages } from '../../db/tables/held-image.ts';
import { appOfRelease } from '../../db/tables/release.ts';
import { type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { removeUnneededImages as collect, type JudgedImage, judgeImages, whatGoes } from './collection.ts';
import type { ImagesDeps } from './deps.ts';
import { reasonToKeep } from './retention.ts';

/**
 * Returns the images of the projects that the user can see, sorted by tag. The list includes images that are missing in
 * Docker.
 */
export async function listImages(core: ImagesDeps, ctx: OpContext, query: PageQuery = {}): Promise<Page<HeldImage>> {
  const present = seen(core, ctx, await judgeImages(core));
  const tags = new Set(present.map(({ tag }) => tag));
  const missing = missingOnes(core, ctx).filter(({ tag }) => !tags.has(tag));
  const all = [...present, ...missing].sort((a, b) => (a.tag < b.tag ? -1 : 1));
  return pageOf(all, (image) => image.tag, query);
}

/**
 * Returns the images that Davit needs for releases but that are missing in Docker. A user or another program has
 * removed these images from Docker.
 */
function missingOnes({ store, facts, settings }: ImagesDeps, { actor }: OpContext): HeldImage[] {
  const { keep } = settings().images;
  return missingImages(store, actor.projects).map(({ id, app, image_id }) => ({
    tag: heldTag(facts.id, app, id),
    app,
    deployment: id,
    image_id: image_id ?? '',
    size_bytes: 0,
    kept_for: reasonToKeep(store, id, keep),
    missing: true,
  }));
}

/**
 * Runs a garbage collection of images. With `dryRun`, only returns the images that it would remove.
 * @throws DavitError forbidden for a user who is limited to some projects
 */
export async function collectImages(core: ImagesDeps, ctx: OpContext, dryRun: boolean): Promise<ImageCollection> {
  demandAllProjects(ctx.actor, 'remove unused images');
  const { images, names, freedBytes } = dryRun ? await whatGoes(core) : await collect(core);
  return {
    dry_run: dryRun,
    images: seen(core, ctx, images),
    names: names.map(({ reference }) => reference),
    freed_bytes: freedBytes,
  };
}

/**
 * Returns the images that the user can see. Images of deleted apps do not belong to a project. Only users with access
 * to all projects can see these images.
 */
function seen({ store }: ImagesDeps, { actor }: OpContext, images: JudgedImage[]): HeldImage[] {
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
        missing: false,
      },
    ];
  });
}
