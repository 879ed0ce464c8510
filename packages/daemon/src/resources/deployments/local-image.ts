/**
 * Selects the image name that a deployment looks for. Decides whether the deployment may use Docker's local image
 * without a pull. Deployment plans follow the same rules. Otherwise, a plan would reveal which images Docker has for
 * other projects.
 */
import { type AppSpec, familiarReference, isHeldName } from '@davit/api';
import type { Image } from '../../adapters/engine/image.ts';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import { hasDeployedImage, isFromRegistry, pulledImage } from '../../db/tables/pulled-image.ts';
import type { ReleaseApp } from '../../db/tables/release.ts';
import { whyNoImage } from '../../image-references/foreign-image.ts';
import {
  hasManifest,
  imageReference,
  isOfLocalRegistry,
  isOwnImage,
  ownRegistryHost,
} from '../../image-references/own-registry.ts';
import { followsLive } from './decide.ts';
import type { DeploymentsDeps } from './deps.ts';
import { NOT_PROMOTED } from './promoted-image.ts';
import { DeployFailed } from './work.ts';

/**
 * Columns of a deployment row that describe its image. For a deployment plan they describe a row that is not in the
 * database.
 */
export type ImageRecord = Pick<DeploymentRow, 'image' | 'image_id' | 'digest' | 'trigger_kind' | 'rollback_of'>;

interface Parts {
  base: DeploymentsDeps;
  app: Pick<ReleaseApp, 'reference' | 'project'>;
  row: () => ImageRecord;
}

export interface LocalImage {
  image: Image;
  /** `true` if the local image has the digest that the deployment needs. Its tag is then ignored. */
  isExact: boolean;
}

/**
 * Finds a deployment's image in Docker by name.
 * @returns `null` if Docker does not have the image, or if the image's registry must first check the project's access
 * @throws DeployFailed for another app's image, or for an invalid image name
 */
export async function findLocalImage(parts: Parts, signal?: AbortSignal): Promise<LocalImage | null> {
  const reference = sought(parts);
  const image = await parts.base.engine.findImage(reference, signal);
  const isExact = pushedDigest(parts) !== null;
  const mayUse = image !== null && (isExact ? isVerified : mayUseWithoutRegistry)(parts, reference, image);
  return mayUse ? { image, isExact } : null;
}

/** Returns whether a deployment may use a local image without a request to the registry. */
export function isEnough({ isExact }: LocalImage, spec: AppSpec, tag: string): boolean {
  return isExact || pullPolicy(spec, tag) === 'missing';
}

/**
 * Returns whether a deployment would certainly use an image that Docker already has. Returns `false` if the deployment
 * would fail.
 * @throws EngineUnavailable
 */
export async function usesLocalImage(parts: Parts, spec: AppSpec, tag: string): Promise<boolean> {
  const { image_id } = parts.row();
  // The project may use this image, because a row has an image id only if its own project deployed the image.
  if (image_id !== null && (await parts.base.engine.findImageById(image_id)) !== null) return true;
  try {
    const local = await findLocalImage(parts);
    return local !== null && isEnough(local, spec, tag);
  } catch (error) {
    if (error instanceof DeployFailed) return false;
    throw error;
  }
}

/**
 * Returns whether Docker has verified a local image that is named by a digest in the instance's registry. If a pull by
 * Davit is interrupted, Docker can have this name before it has verified the digest. A `docker push` on the server also
 * creates the name, but with a verified digest.
 */
function isVerified({ base, app }: Parts, reference: string, { id }: Image): boolean {
  return hasDeployedImage(base.store, id, app.project.id) || pulledImage(base.store, reference) === undefined;
}

/**
 * Returns whether a project may use a local image without a request to a registry. If the image came from a registry
 * for another project, the registry must check this project's credentials. A name with a loopback registry host can
 * also belong to a deleted project with the same name.
 */
function mayUseWithoutRegistry({ base, app }: Parts, reference: string, { id, digest, isFromGateway }: Image): boolean {
  if (hasDeployedImage(base.store, id, app.project.id)) return true;
  const isBuilt = digest === null && !isFromGateway && !isFromRegistry(base.store, id);
  return isBuilt && !isOfLocalRegistry(base.facts, reference);
}

function pullPolicy({ pull }: AppSpec, tag: string): 'missing' | 'always' {
  return pull ?? (tag === 'latest' ? 'always' : 'missing');
}

/**
 * Returns the normalized image name that a deployment looks for. Images of the instance's registry are always looked up
 * in the app's own repository, by digest. For rollbacks and restarts, images of other registries are looked up by
 * digest too.
 * @throws DeployFailed for another app's image that was not promoted, and for a row with an invalid image name
 */
export function sought(parts: Parts): string {
  const row = parts.row();
  const isExact = followsLive(row.trigger_kind) || row.rollback_of !== null;
  return referenceAt(parts, isExact && hasManifest(row) ? row.digest : pushedDigest(parts));
}

/**
 * Returns the normalized name of a deployment's image with a tag or a digest.
 * @param manifest digest for the name, or `null` to use the recorded tag
 * @throws DeployFailed for another app's image that was not promoted, and for a row with an invalid image name
 */
export function referenceAt({ base, app, row }: Parts, manifest: string | null): string {
  const { facts } = base;
  const { image } = row();
  const reference = imageReference(facts, image);
  if (reference === null || isHeldName(reference)) throw new DeployFailed(whyNoImage(image));
  const isOwn = reference.host === ownRegistryHost(facts);
  if (isOwn && manifest === null && reference.repository !== app.reference) throw new DeployFailed(NOT_PROMOTED);
  if (manifest === null) return familiarReference(reference);
  const repository = isOwn ? app.reference : reference.repository;
  return familiarReference({ ...reference, repository, tag: null, digest: manifest });
}

/**
 * Returns the digest that the tag had in the instance's registry at the time of the deployment request. `null` for an
 * image from another source.
 */
export function pushedDigest({ base, row }: Pick<Parts, 'base' | 'row'>): string | null {
  const { image, image_id, digest } = row();
  return isOwnImage(base.facts, image) && digest !== image_id ? digest : null;
}
