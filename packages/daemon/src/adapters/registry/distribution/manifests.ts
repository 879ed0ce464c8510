import { isDigest } from '@davit/api';
/** What manifests say, as far as it is needed here: of what they consist, and how large that is. */

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
  /** Bytes of the configuration and of each layer, by digest: a layer that is used twice is there once. */
  blobs: Map<string, number>;
  /** Digests of the images of an index; what only attests something of them is none. */
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
 * @param contentType as the registry sent it
 * @returns null for what is no manifest
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

/** What has to be in a repository before a manifest can be put there. */
export interface ManifestNeeds {
  /** `elsewhere`: clients may get it at an address that the manifest names, so that the repository may lack it. */
  blobs: { digest: string; elsewhere: boolean }[];
  /** Of an index, attestations included. */
  manifests: string[];
}

/** @returns null for what is no manifest */
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
 * Everything that a manifest of any kind names by digest, whatever it means by it: what is kept because of too much can
 * be collected another day, what is gone because of too little cannot be brought back.
 */
export function digestsIn(text: string): Set<string> {
  return new Set(text.match(/\bsha(?:256:[0-9a-f]{64}|384:[0-9a-f]{96}|512:[0-9a-f]{128})\b/g) ?? []);
}

/** BuildKit puts what it says of an image beside it, as an image for no platform. */
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
    // Whatever was pushed as a manifest: the registry checks it, and this is no second opinion.
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
