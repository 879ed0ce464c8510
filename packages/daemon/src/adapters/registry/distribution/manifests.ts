import { isDigest } from '@davit/api';
/** Parses image manifests. A manifest lists the configuration, the layers and the child manifests with their sizes. */

export const IMAGE_MANIFEST_TYPES = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
];

export const INDEX_TYPES = [
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.index.v1+json',
];

export interface ManifestParts {
  mediaType: string;
  /**
   * Sizes in bytes of the image configuration and the layers, by digest. If a layer occurs twice, it has only one
   * entry.
   */
  blobs: Map<string, number>;
  /** Digests of the images in an image index, without attestations. */
  children: string[];
}

interface Descriptor {
  mediaType?: unknown;
  artifactType?: unknown;
  digest?: unknown;
  size?: unknown;
  urls?: unknown;
  platform?: { architecture?: unknown; os?: unknown };
  annotations?: Record<string, unknown>;
}

/**
 * Parses an image manifest or an image index.
 * @param contentType `Content-Type` header of the response
 * @returns `null` if the text is not a manifest
 */
export function parseManifest(text: string, contentType: string | undefined): ManifestParts | null {
  const manifest = parseObject(text);
  if (manifest === null) return null;
  const { mediaType, config, layers, manifests } = manifest;
  const named = contentType?.split(';')[0]?.trim() ?? '';
  const blobs = new Map<string, number>();
  for (const { digest, size } of [config, ...listOf(layers)].filter(isDescriptor)) {
    if (typeof digest === 'string' && isSize(size)) blobs.set(digest, size);
  }
  return {
    mediaType: typeof mediaType === 'string' ? mediaType : named,
    blobs,
    children: listOf(manifests)
      .filter(isDescriptor)
      .flatMap((child) =>
        isImage(child) && typeof child.digest === 'string' && isDigest(child.digest) ? [child.digest] : [],
      ),
  };
}

/** Layers, configurations and manifests that a repository must contain before the registry accepts a manifest. */
export interface ManifestNeeds {
  /**
   * Digests of the configuration and the layers. If `elsewhere` is `true`, clients download the data from another URL,
   * so the repository does not need the data.
   */
  blobs: { digest: string; elsewhere: boolean }[];
  /** Digests of the manifests in an image index, including attestations. */
  manifests: string[];
}

/**
 * Returns the digests that a repository must have before the registry accepts this manifest. Returns `null` if the text
 * is not a manifest.
 */
export function needsOf(text: string): ManifestNeeds | null {
  const manifest = parseObject(text);
  if (manifest === null) return null;
  const named = (value: unknown[]) =>
    value.filter(isDescriptor).flatMap(({ digest, urls }) => {
      const elsewhere = Array.isArray(urls) && urls.length > 0;
      return typeof digest === 'string' && isDigest(digest) ? [{ digest, elsewhere }] : [];
    });
  const blobs = named([manifest.config, ...listOf(manifest.layers)]);
  return { blobs, manifests: named(listOf(manifest.manifests)).map(({ digest }) => digest) };
}

const CONFIG_TYPES = ['application/vnd.docker.container.image.v1+json', 'application/vnd.oci.image.config.v1+json'];
/**
 * Pattern for the media types of layers that contain files. A signature can have an image configuration, but it has no
 * such layers.
 */
const LAYER_TYPE =
  /^application\/vnd\.(?:docker\.image\.rootfs\.(?:foreign\.)?diff|oci\.image\.layer\.(?:nondistributable\.)?v1)\.tar(?:[.+](?:gzip|zstd))?$/;

/** Result of a check whether a manifest is a container image. */
export interface ImageEvidence {
  /** `true` if the manifest is an image, or an image index with an image for a platform. */
  isImage: boolean;
  /**
   * Digests of the manifests in an image index that specifies no platforms. If `isImage` is `false`, these manifests
   * must be read to find out whether the index contains an image.
   */
  open: string[];
}

/** Checks whether a manifest is a container image. A text that is not a manifest is not an image. */
export function evidenceIn(text: string): ImageEvidence {
  const manifest = parseObject(text);
  // A manifest with a subject or an artifact type is not an image, because it only describes another image.
  if (manifest === null || isGiven(manifest.subject) || isGiven(manifest.artifactType))
    return { isImage: false, open: [] };
  const { config, layers, manifests } = manifest;
  if (Array.isArray(manifests)) return evidenceOf(manifests.filter(isDescriptor).filter(mayBeImage));
  const hasConfig = isDescriptor(config) && isOneOf(CONFIG_TYPES, config.mediaType);
  const isFileSystem = (layer: unknown) =>
    isDescriptor(layer) && typeof layer.mediaType === 'string' && LAYER_TYPE.test(layer.mediaType);
  return { isImage: hasConfig && listOf(layers).every(isFileSystem), open: [] };
}

function evidenceOf(entries: readonly Descriptor[]): ImageEvidence {
  const isForPlatform = ({ mediaType, platform }: Descriptor) =>
    isOneOf(IMAGE_MANIFEST_TYPES, mediaType) && isGiven(platform?.os);
  if (entries.some(isForPlatform)) return { isImage: true, open: [] };
  const open = entries.flatMap(({ digest }) => (typeof digest === 'string' && isDigest(digest) ? [digest] : []));
  return { isImage: false, open };
}

/**
 * Returns whether an entry of an image index can be an image or another image index. Layers of a build cache are
 * neither.
 */
function mayBeImage(entry: Descriptor): boolean {
  const isManifest = isOneOf([...IMAGE_MANIFEST_TYPES, ...INDEX_TYPES], entry.mediaType);
  return isManifest && isImage(entry) && !isGiven(entry.artifactType);
}

function isOneOf(types: readonly string[], mediaType: unknown): boolean {
  return typeof mediaType === 'string' && types.includes(mediaType);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/**
 * Returns all digests in the text of a manifest, regardless of their meaning. An unnecessary digest does no harm. If a
 * digest were missing, a blob that is still needed could be removed.
 */
export function digestsIn(text: string): Set<string> {
  return new Set(text.match(/\bsha(?:256:[0-9a-f]{64}|384:[0-9a-f]{96}|512:[0-9a-f]{128})\b/g) ?? []);
}

/**
 * Returns whether an entry of an image index is an image and not an attestation. BuildKit stores attestations as images
 * for the platform `unknown`.
 */
function isImage({ platform, annotations }: Descriptor): boolean {
  if (annotations?.['vnd.docker.reference.type'] === 'attestation-manifest') return false;
  return platform?.os !== 'unknown' || platform.architecture !== 'unknown';
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // The registry stores only valid manifests, so a text with invalid JSON is not a manifest.
    return null;
  }
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isDescriptor(value: unknown): value is Descriptor {
  return typeof value === 'object' && value !== null;
}
