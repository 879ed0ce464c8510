/** Lists the tags of an app's image that Docker already has, so that users can choose one for a deployment. */
import { familiarRepository, isHeldName, isReservedImage, type LocalTag, MOST_LOCAL_TAGS, timestamp } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { imageReference } from '../../image-references/own-registry.ts';
import type { DeploymentsDeps } from './deps.ts';
import { mayUseWithoutRegistry } from './local-image.ts';

/**
 * Returns the newest local tags of the app's image repository. The list contains only images that a deployment of the app
 * may use, because Docker also has images of other projects.
 * @throws EngineUnavailable
 */
export async function listLocalTags(
  core: Pick<DeploymentsDeps, 'store' | 'facts' | 'engine'>,
  _ctx: OpContext,
  app: AppTarget,
): Promise<LocalTag[]> {
  const { source, image } = app.spec;
  const repository = source === 'registry' || image === null ? null : imageReference(core.facts, image);
  if (repository === null || isHeldName(repository)) return [];
  const name = familiarRepository(repository);
  if (isReservedImage(name)) return [];
  const found = await core.engine.localTags(name);
  return found
    .filter((one) => mayUseWithoutRegistry({ base: core, app }, name, one))
    .sort((a, b) => b.builtAt - a.builtAt || (a.tag < b.tag ? -1 : 1))
    .slice(0, MOST_LOCAL_TAGS)
    .map(({ tag, id, sizeBytes, builtAt }) => ({
      tag,
      image_id: id,
      bytes: sizeBytes,
      built_at: timestamp(builtAt),
    }));
}
