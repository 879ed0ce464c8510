import { isDigest } from '@davit/api';
/** Parsing of manifests: their parts and the sizes of these parts. */

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
  /** Sizes in bytes of the configuration and the layers, by digest. A layer that occurs twice counts once. */
  blobs: Map<string, number>;
  /** Digests of the images of an index, without attestations. */
  children: string[];
}

interface Descriptor {
  digest?: unknown;
  size?: unknown;
  urls?: unknown;
  platform?: { architecture?: unknown; os?: unknown };
  annotations?: Record<string, unknown>;
}

/**
 * Reads the parts of a manifest.
 * @param contentType header of the registry's response
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

/** Content that a repository must have before it accepts a manifest. */
export interface ManifestNeeds {
  /**
   * Blobs of the image. If `elsewhere` is true, the manifest names another address of the blob, so the repository may
   * lack it.
   */
  blobs: { digest: string; elsewhere: boolean }[];
  /** Manifests that an index names, including attestations. */
  manifests: string[];
}

/** Returns the content that a manifest needs, or `null` if the text is not a manifest. */
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

/**
 * Returns all digests in a manifest of any kind, whatever their purpose. A blob that is retained needlessly can be
 * removed later. A blob that is removed wrongly is lost.
 */
export function digestsIn(text: string): Set<string> {
  return new Set(text.match(/\bsha(?:256:[0-9a-f]{64}|384:[0-9a-f]{96}|512:[0-9a-f]{128})\b/g) ?? []);
}

/** Returns whether an entry of an index is an image. BuildKit stores attestations as images for an unknown platform. */
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
    // The text may be anything that a client pushed. The registry validates manifests, so this function does not.
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
