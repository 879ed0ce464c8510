/** Lists the tags of an app's image that Docker already has. Users can choose one of these tags for a deployment. */
import {
  familiarRepository,
  type ImageReference,
  isHeldName,
  isReservedImage,
  type LocalTag,
  timestamp,
} from '@davit/api';
import type { LocalTag as EngineTag } from '../../adapters/engine/image.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import type { ReleaseApp } from '../../db/tables/release.ts';
import { imageReference } from '../../image-references/own-registry.ts';
import { mapPage, numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { DeploymentsDeps } from './deps.ts';
import { mayUseWithoutRegistry, pullPolicy } from './local-image.ts';

type Parts = Pick<DeploymentsDeps, 'store' | 'facts' | 'engine'>;

/** Number of tags on a page by default. */
const PAGE = 50;

/**
 * Returns the tags of the app's image repository that Docker has, newest first. Docker also has images of other
 * projects, so the list contains only images that the app may deploy without a request to the registry.
 * @throws DavitError invalid_input for an invalid cursor; EngineUnavailable
 */
export async function listLocalTags(
  core: Parts,
  _ctx: OpContext,
  app: AppTarget,
  { limit = PAGE, cursor }: PageQuery = {},
): Promise<Page<LocalTag>> {
  const tags = await deployableTags(core, app);
  return mapPage(pageOf(tags, keyOf, { limit, cursor }), ({ tag, id, sizeBytes, builtAt }) => ({
    tag,
    image_id: id,
    bytes: sizeBytes,
    built_at: timestamp(builtAt),
  }));
}

async function deployableTags(core: Parts, app: AppTarget): Promise<EngineTag[]> {
  const { source, image } = app.spec;
  const repository = source === 'registry' || image === null ? null : imageReference(core.facts, image);
  if (repository === null) return [];
  const tags = await usableTags(core, app, repository);
  return tags.filter(({ tag }) => pullPolicy(app.spec, tag) === 'missing');
}

/**
 * Returns the tags of an image repository in Docker that a project may use without a request to the registry, newest
 * first.
 * @throws EngineUnavailable
 */
export async function usableTags(
  core: Parts,
  app: Pick<ReleaseApp, 'project'>,
  repository: Pick<ImageReference, 'host' | 'repository'>,
  signal?: AbortSignal,
): Promise<EngineTag[]> {
  const name = familiarRepository(repository);
  if (isHeldName(repository) || isReservedImage(name)) return [];
  const tags = await core.engine.localTags(name, signal);
  const usable = tags.filter((one) => mayUseWithoutRegistry({ base: core, app }, name, one));
  return usable.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Returns a text for sorting. Newer images come first, and images of the same age are sorted by tag. */
function keyOf({ builtAt, tag }: EngineTag): string {
  return `${numberKey(Number.MAX_SAFE_INTEGER - builtAt)} ${tag}`;
}
