/**
 * Which image a deployment looks for, and whether it uses the one that the engine has. The plan of a deployment goes by the
 * same rules: it must not show which images the engine has for other projects.
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

/** What a deployment is or will be on record with. */
export type ImageRecord = Pick<DeploymentRow, 'image' | 'image_id' | 'digest' | 'trigger_kind' | 'rollback_of'>;

interface Parts {
  base: DeploymentsDeps;
  app: Pick<ReleaseApp, 'reference' | 'project'>;
  row: () => ImageRecord;
}

export interface LocalImage {
  image: Image;
  /** It has the digest that is looked for, whatever its tag names by now. */
  isExact: boolean;
}

/**
 * Finds the image of a deployment at the engine by its name.
 * @returns `null` if the engine does not have it, or the project may not use it without its registry
 * @throws DeployFailed, as {@link sought}
 */
export async function findLocalImage(parts: Parts, signal?: AbortSignal): Promise<LocalImage | null> {
  const reference = sought(parts);
  const image = await parts.base.engine.findImage(reference, signal);
  const isExact = pushedDigest(parts) !== null;
  const mayUse = image !== null && (isExact ? isVerified : mayUseWithoutRegistry)(parts, reference, image);
  return mayUse ? { image, isExact } : null;
}

/** Whether a deployment uses an image of the engine without a request to the registry. */
export function isEnough({ isExact }: LocalImage, spec: AppSpec, tag: string): boolean {
  return isExact || pullPolicy(spec, tag) === 'missing';
}

/**
 * Whether a deployment would certainly use an image that the engine has. `false` where it would fail.
 * @throws EngineUnavailable
 */
export async function usesLocalImage(parts: Parts, spec: AppSpec, tag: string): Promise<boolean> {
  const { image_id } = parts.row();
  // On record are only images of the project itself.
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
 * Whether an image with the name of a manifest in the instance's own registry is certainly the one that was pushed there.
 * A pull that was cut short leaves the name before the daemon has verified that. A push from the server leaves it too, and
 * proves it.
 */
function isVerified({ base, app }: Parts, reference: string, { id }: Image): boolean {
  return hasDeployedImage(base.store, id, app.project.id) || pulledImage(base.store, reference) === undefined;
}

/**
 * Whether a project may use an image because the engine has it. An image that came from a registry, whoever pulled it, does
 * not prove a right: the registry decides, with the credentials of this project. A name of a registry on this server may
 * come from another project, or from an earlier one of the same name.
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
 * The canonical name to look for. For images of the instance's own registry, and for rollbacks and restarts, it names
 * the exact manifest if a registry has one. An image of the own registry is in the app's own repository.
 * @throws DeployFailed for another app's, which only a promotion brings there, and for a record that names no image
 */
export function sought(parts: Parts): string {
  const row = parts.row();
  const isExact = followsLive(row.trigger_kind) || row.rollback_of !== null;
  return referenceAt(parts, isExact && hasManifest(row) ? row.digest : pushedDigest(parts));
}

/**
 * Returns the reference of a deployment's image.
 * @param manifest the digest of its manifest; `null`: the tag on record
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

/** The manifest that was found in the instance's own registry before the deployment began; null for an image from elsewhere. */
export function pushedDigest({ base, row }: Pick<Parts, 'base' | 'row'>): string | null {
  const { image, image_id, digest } = row();
  return isOwnImage(base.facts, image) && digest !== image_id ? digest : null;
}
