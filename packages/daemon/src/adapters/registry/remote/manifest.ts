/**
 * Checks image manifests before Docker receives them. Both manifests of other registries and manifests of the Davit
 * instance's own registry are checked.
 */
import { DavitError, isDigest } from '@davit/api';
import { parseJsonObject } from '@davit/service';
import { z } from 'zod';
import { folded } from './folded-name.ts';
import { RemoteProblem } from './problem.ts';

const INDEX_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const IMAGE_TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
export const MANIFEST_TYPES = [...INDEX_TYPES, ...IMAGE_TYPES];

/**
 * Entry of a manifest for a layer or configuration. External `urls` are rejected, because Docker could download from
 * these URLs without the daemon's checks.
 */
const Descriptor = z.object({
  digest: z.string().refine(isDigest),
  size: z.number().int().nonnegative(),
  urls: z.array(z.unknown()).max(0).optional(),
});
/**
 * Maximum number of layers that Docker can run. The daemon checks this limit, because Docker requests all layers before
 * it rejects an image.
 */
const MOST_LAYERS = 127;
/**
 * Manifest of a single image. The manifest must not have fields of an image index, because different programs could
 * interpret such a manifest differently.
 */
const Image = z.object({
  mediaType: z.string().optional(),
  config: Descriptor,
  layers: z.array(Descriptor).max(MOST_LAYERS),
  manifests: z.undefined().optional(),
  blobs: z.undefined().optional(),
});
const Index = z.object({
  mediaType: z.string().optional(),
  manifests: z.array(Descriptor.extend({ platform: z.object({ os: z.string().optional() }).optional() })),
  config: z.undefined().optional(),
  layers: z.undefined().optional(),
  blobs: z.undefined().optional(),
});

/** Digest and size of a layer or of an image configuration. */
export interface Blob {
  digest: string;
  size: number;
}

/** Configuration and layers of an image. */
export interface ImageParts {
  /** Configuration of the image. The image id in Docker is usually the digest of this configuration. */
  config: Blob;
  /** Layers of the image, lowest layer first. */
  layers: Blob[];
}

export interface ReadableManifest {
  mediaType: string;
  /** Configuration and layers of the image, or `null` for an image index. */
  image: ImageParts | null;
  /** Digests of the manifests in an image index. */
  manifests: string[];
  /** Digests of the image manifests for Linux in an image index. Manifests without an operating system are included. */
  linux: string[];
}

/**
 * Parses and checks an image manifest or an image index.
 * @throws RemoteProblem for an unknown format, too many layers or an external layer URL
 */
export function demandReadable(bytes: Buffer, contentType: string | undefined): ReadableManifest {
  const json = parse(bytes);
  const named = mediaTypeIn(json);
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  const mediaType = MANIFEST_TYPES.includes(type) ? type : (named ?? '');
  if (!MANIFEST_TYPES.includes(mediaType))
    throw invalid(`an image manifest has the unsupported type ${JSON.stringify(mediaType)}`);
  /*
   * Docker uses the type in the header `Content-Type`, but other programs use the type in the manifest. Both types must
   * therefore be equal.
   */
  if (named !== undefined && named !== mediaType)
    throw invalid('the type in an image manifest differs from its Content-Type');
  if (INDEX_TYPES.includes(mediaType)) {
    const { manifests } = demand(Index, json);
    const digests = (of: typeof manifests) => of.map(({ digest }) => digest);
    const linux = manifests.filter(({ platform }) => ['', 'linux'].includes(platform?.os?.toLowerCase() ?? ''));
    return { mediaType, image: null, manifests: digests(manifests), linux: digests(linux) };
  }
  const { config, layers } = demand(Image, json);
  return { mediaType, image: { config, layers }, manifests: [], linux: [] };
}

/** Returns the configuration and the layers of an image. For an image index, the list is empty. */
export function blobsOf({ image }: Pick<ReadableManifest, 'image'>): Blob[] {
  return image === null ? [] : [image.config, ...image.layers];
}

function mediaTypeIn(json: unknown): string | undefined {
  return demand(z.object({ mediaType: z.string().optional() }), json).mediaType;
}

function demand<T>(schema: z.ZodType<T>, json: unknown): T {
  const { success, data } = schema.safeParse(json);
  if (success) return data;
  throw invalid(
    `an image manifest has an unknown format, more than ${MOST_LAYERS} layers, or a layer with the field “urls”`,
  );
}

/**
 * Maximum number of JSON values in a manifest. The limit is high enough, because image indexes list at most a few
 * hundred manifests in practice.
 */
const MOST_VALUES = 100_000;

/**
 * Parses JSON. JSON that different parsers interpret differently is rejected. For example, Docker ignores the case of
 * field names.
 */
function parse(bytes: Buffer): unknown {
  try {
    const json = parseJsonObject(bytes, MOST_VALUES);
    demandExactNames(json);
    return json;
  } catch (cause) {
    if (cause instanceof DavitError) return null;
    throw cause;
  }
}

const NAMES = ['schemaVersion', 'mediaType', 'artifactType', 'config', 'layers', 'manifests', 'blobs', 'subject'];
/**
 * Names of the fields that describe a platform in an image index. Docker uses these fields to choose the image for the
 * server.
 */
const PLATFORM = ['architecture', 'os', 'os.version', 'os.features', 'variant', 'features'];
const EXACT = new Map(
  [...NAMES, ...PLATFORM, 'digest', 'size', 'urls', 'data', 'platform', 'annotations'].map((name) => [
    folded(name),
    name,
  ]),
);

/**
 * Rejects a field name that differs from a known name only in case or in similar Unicode letters. Docker would treat
 * both names as equal.
 * @throws RemoteProblem
 */
function demandExactNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && (EXACT.get(folded(name)) ?? name) !== name)
      throw invalid('a field name in an image manifest has wrong capitalization');
    // Skips annotations, because image authors can freely choose annotation names.
    if (name !== 'annotations') demandExactNames(inner);
  }
}

function invalid(message: string): RemoteProblem {
  return new RemoteProblem('registry_answer_invalid', message);
}
