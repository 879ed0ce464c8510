/**
 * Selects the image of a deployment and decides whether the deployment may use an image that Docker already has.
 * Deployment plans use the same rules. Otherwise, a plan could show that another project has an image.
 */
import { type AppSpec, familiarReference, type ImageReference, isHeldName } from '@davit/api';
import type { Image } from '../../adapters/engine/image.ts';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import { hasDeployedImage, pulledImage, registryNamesOf } from '../../db/tables/pulled-image.ts';
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
 * Columns of the table `deployments` that describe the image. Deployment plans use the same type, but plans are not
 * saved in this table.
 */
export type ImageRecord = Pick<DeploymentRow, 'image' | 'image_id' | 'digest' | 'trigger_kind' | 'rollback_of'>;

interface Parts {
  base: DeploymentsDeps;
  app: Pick<ReleaseApp, 'reference' | 'project'>;
  row: () => ImageRecord;
}

export interface LocalImage {
  image: Image;
  /**
   * `true` if the image in Docker has the digest that the deployment needs. If so, Davit ignores the tag of the image.
   */
  isExact: boolean;
}

/**
 * Returns the image of a deployment if Docker has the image. Returns `null` if Docker does not have the image, or if
 * the registry must first check the project's permission.
 * @throws DeployFailed
 */
export async function findLocalImage(parts: Parts, signal?: AbortSignal): Promise<LocalImage | null> {
  const reference = sought(parts);
  const image = await parts.base.engine.findImage(reference, signal);
  const isExact = pushedDigest(parts) !== null;
  const mayUse = image !== null && (isExact ? isVerified : mayUseWithoutRegistry)(parts, reference, image);
  return mayUse ? { image, isExact } : null;
}

/** Returns whether a deployment may use an image in Docker without a request to the registry. */
export function isEnough({ isExact }: LocalImage, spec: AppSpec, tag: string): boolean {
  return isExact || pullPolicy(spec, tag) === 'missing';
}

/**
 * Returns whether a deployment would use an image that Docker already has. If this is unknown or the deployment would
 * fail, returns `false`.
 * @throws EngineUnavailable
 */
export async function usesLocalImage(parts: Parts, spec: AppSpec, tag: string): Promise<boolean> {
  const { image_id } = parts.row();
  // If the deployment has an image id, the project has used this image before. So the project may use the image again.
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
 * Returns whether the origin of an image in Docker is verified. The image is verified if a deployment of the project
 * used it, or if a push to this server created it.
 */
function isVerified({ base, app }: Parts, reference: string, { id }: Image): boolean {
  // If a pull was interrupted, Docker can have an image with this name that Davit has not verified.
  return hasDeployedImage(base.store, id, app.project.id) || pulledImage(base.store, reference) === undefined;
}

/**
 * Returns whether a project may use an image in Docker without a request to the registry. The image name is no proof of
 * permission, because a deleted project may have used the same name.
 * @param reference name of the image in Docker, with or without a tag
 */
export function mayUseWithoutRegistry(
  { base, app }: { base: Pick<DeploymentsDeps, 'store' | 'facts'>; app: Pick<ReleaseApp, 'project'> },
  reference: string,
  { id, digest, isFromGateway }: Pick<Image, 'id' | 'digest' | 'isFromGateway'>,
): boolean {
  if (hasDeployedImage(base.store, id, app.project.id)) return true;
  const named = imageReference(base.facts, reference);
  if (named === null || digest !== null || isFromGateway || isOfLocalRegistry(base.facts, reference)) return false;
  /*
   * A registry name in another repository is no reason to refuse this name. Users can push an image that was built on
   * the server to any registry.
   */
  return !registryNamesOf(base.store, id).some((name) => isOfRepository(base.facts, name, named));
}

/**
 * Returns whether an image name belongs to a repository. Also returns `true` for an invalid name, because it may be
 * another spelling that an earlier Davit version stored.
 */
function isOfRepository(
  facts: DeploymentsDeps['facts'],
  name: string,
  { host, repository }: Pick<ImageReference, 'host' | 'repository'>,
): boolean {
  const found = imageReference(facts, name);
  return found === null || (found.host === host && found.repository === repository);
}

/** Returns whether a deployment uses an image in Docker (`missing`), or always sends a request to the registry. */
export function pullPolicy({ pull }: AppSpec, tag: string): 'missing' | 'always' {
  return pull ?? (tag === 'latest' ? 'always' : 'missing');
}

/**
 * Returns the name with which Davit looks up the image in Docker. The name contains a digest for images of the
 * instance's registry, rollbacks and restarts. For other deployments, the name contains a tag.
 * @throws DeployFailed
 */
export function sought(parts: Parts): string {
  const row = parts.row();
  const isExact = followsLive(row.trigger_kind) || row.rollback_of !== null;
  return referenceAt(parts, isExact && hasManifest(row) ? row.digest : pushedDigest(parts));
}

/**
 * Returns the normalized image name with the digest `manifest`. If `manifest` is `null`, the name contains the tag
 * instead.
 * @throws DeployFailed for an invalid name, or for an image of another app that was not promoted
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
 * Returns the digest of the image in the instance's registry, as it was at the time of the deployment request. Returns
 * `null` for an image from another source.
 */
export function pushedDigest({ base, row }: Pick<Parts, 'base' | 'row'>): string | null {
  const { image, image_id, digest } = row();
  return isOwnImage(base.facts, image) && digest !== image_id ? digest : null;
}
