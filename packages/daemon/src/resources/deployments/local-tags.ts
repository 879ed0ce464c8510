/** Lists the tags of an app's image that Docker already has. Users can choose one of these tags for a deployment. */
import { familiarRepository, isHeldName, isReservedImage, type LocalTag, timestamp } from '@davit/api';
import type { LocalTag as EngineTag } from '../../adapters/engine/image.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { imageReference } from '../../image-references/own-registry.ts';
import { mapPage, numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { DeploymentsDeps } from './deps.ts';
import { mayUseWithoutRegistry } from './local-image.ts';

type Parts = Pick<DeploymentsDeps, 'store' | 'facts' | 'engine'>;

/** Number of tags on a page by default. */
const PAGE = 50;

/**
 * Returns the tags of the app's image repository that Docker has, newest first. Docker also has images of other
 * projects, so the list contains only images that the app may use.
 * @throws DavitError invalid_input for an invalid cursor; EngineUnavailable
 */
export async function listLocalTags(
  core: Parts,
  _ctx: OpContext,
  app: AppTarget,
  { limit = PAGE, cursor }: PageQuery = {},
): Promise<Page<LocalTag>> {
  const tags = (await usableTags(core, app)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return mapPage(pageOf(tags, keyOf, { limit, cursor }), ({ tag, id, sizeBytes, builtAt }) => ({
    tag,
    image_id: id,
    bytes: sizeBytes,
    built_at: timestamp(builtAt),
  }));
}

async function usableTags(core: Parts, app: AppTarget): Promise<EngineTag[]> {
  const { source, image } = app.spec;
  const repository = source === 'registry' || image === null ? null : imageReference(core.facts, image);
  if (repository === null || isHeldName(repository)) return [];
  const name = familiarRepository(repository);
  if (isReservedImage(name)) return [];
  const tags = await core.engine.localTags(name);
  return tags.filter((one) => mayUseWithoutRegistry({ base: core, app }, name, one));
}

/** Returns a text for sorting. Newer images come first, and images of the same age are sorted by tag. */
function keyOf({ builtAt, tag }: EngineTag): string {
  return `${numberKey(Number.MAX_SAFE_INTEGER - builtAt)} ${tag}`;
}
