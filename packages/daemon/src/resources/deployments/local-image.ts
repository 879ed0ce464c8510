/**
 * Decides which image a deployment looks for, and whether it may use the engine's copy. The plan of a deployment
 * follows these rules too, because it must not show which images the engine has for other projects.
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

/** Image fields of a deployment's record, for an existing or a planned deployment. */
export type ImageRecord = Pick<DeploymentRow, 'image' | 'image_id' | 'digest' | 'trigger_kind' | 'rollback_of'>;

interface Parts {
  base: DeploymentsDeps;
  app: Pick<ReleaseApp, 'reference' | 'project'>;
  row: () => ImageRecord;
}

export interface LocalImage {
  image: Image;
  /** Whether the image has the wanted digest. The tag of the image does not matter in this case. */
  isExact: boolean;
}

/**
 * Finds the image of a deployment in the engine by name.
 * @returns `null` if the engine does not have the image, or if the project may not use the image without its registry
 * @throws DeployFailed, as {@link sought}
 */
export async function findLocalImage(parts: Parts, signal?: AbortSignal): Promise<LocalImage | null> {
  const reference = sought(parts);
  const image = await parts.base.engine.findImage(reference, signal);
  const isExact = pushedDigest(parts) !== null;
  const mayUse = image !== null && (isExact ? isVerified : mayUseWithoutRegistry)(parts, reference, image);
  return mayUse ? { image, isExact } : null;
}

/** Returns whether a deployment uses an image of the engine without a request to the registry. */
export function isEnough({ isExact }: LocalImage, spec: AppSpec, tag: string): boolean {
  return isExact || pullPolicy(spec, tag) === 'missing';
}

/**
 * Returns whether a deployment would certainly use an image of the engine. Returns `false` if the deployment would
 * fail.
 * @throws EngineUnavailable
 */
export async function usesLocalImage(parts: Parts, spec: AppSpec, tag: string): Promise<boolean> {
  const { image_id } = parts.row();
  // A record contains only image ids that the project itself has deployed.
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
 * Returns whether an image with a digest of the instance's own registry is certainly the pushed image. An interrupted
 * pull leaves the name before the Docker daemon has verified the digest. A push from the server also leaves the name,
 * but proves the digest.
 */
function isVerified({ base, app }: Parts, reference: string, { id }: Image): boolean {
  return hasDeployedImage(base.store, id, app.project.id) || pulledImage(base.store, reference) === undefined;
}

/**
 * Returns whether a project may use an image because the engine has it. An image from a registry proves no right,
 * whichever project pulled it: the registry decides with the credentials of this project. An image with the name of a
 * registry on this server can belong to another project, or to a deleted project of the same name.
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
 * Returns the canonical name of the image to look for. The name contains the exact digest for images of the own
 * registry, and for rollbacks and restarts if a registry has the manifest. An image of the own registry is always in
 * the app's own repository.
 * @throws DeployFailed for an image of another app that was not promoted, and for a record without an image name
 */
export function sought(parts: Parts): string {
  const row = parts.row();
  const isExact = followsLive(row.trigger_kind) || row.rollback_of !== null;
  return referenceAt(parts, isExact && hasManifest(row) ? row.digest : pushedDigest(parts));
}

/**
 * Returns the reference of a deployment's image.
 * @param manifest digest of the manifest, or `null` for the recorded tag
 * @throws DeployFailed, as {@link sought}
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
 * Returns the digest that the own registry had before the deployment started, or `null` for an image of another source.
 */
export function pushedDigest({ base, row }: Pick<Parts, 'base' | 'row'>): string | null {
  const { image, image_id, digest } = row();
  return isOwnImage(base.facts, image) && digest !== image_id ? digest : null;
}
