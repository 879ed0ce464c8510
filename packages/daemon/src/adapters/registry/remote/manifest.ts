/** Manifests that the engine may receive, from other registries and from the instance's own registry. */
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
 * Reference to a blob. `urls` are other addresses of a layer. Some engines request these addresses first, which
 * bypasses the daemon's check of addresses. Registries accept a manifest with such addresses without the layer.
 */
const Descriptor = z.object({
  digest: z.string().refine(isDigest),
  size: z.number().int().nonnegative(),
  urls: z.array(z.unknown()).max(0).optional(),
});
/**
 * Manifest of an image. A manifest must not be an image and an index at once, because parsers read such a manifest
 * differently.
 */
const Image = z.object({
  mediaType: z.string().optional(),
  config: Descriptor,
  layers: z.array(Descriptor),
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

/** Image configuration or layer. */
export interface Blob {
  digest: string;
  /** Size in bytes. */
  size: number;
}

/** Parts of an image. */
export interface ImageParts {
  /** Configuration of the image. Most engines use its digest as the id of the image. */
  config: Blob;
  /** Layers, the lowest first. */
  layers: Blob[];
}

export interface ReadableManifest {
  mediaType: string;
  /** Parts of the image, or `null` for an index. */
  image: ImageParts | null;
  /** Digests of the manifests of an index. */
  manifests: string[];
  /**
   * Digests of the manifests that an engine on Linux may run. Such an engine also runs an image without an operating
   * system.
   */
  linux: string[];
}

/**
 * Checks the body of a manifest.
 * @throws RemoteProblem if the manifest has another format or layers at other addresses
 */
export function demandReadable(bytes: Buffer, contentType: string | undefined): ReadableManifest {
  const json = parse(bytes);
  const named = mediaTypeIn(json);
  const type = (contentType ?? '').split(';')[0]?.trim() ?? '';
  const mediaType = MANIFEST_TYPES.includes(type) ? type : (named ?? '');
  if (!MANIFEST_TYPES.includes(mediaType)) throw invalid(`a manifest has the type ${JSON.stringify(mediaType)}`);
  // Engines use the type in the header, and other programs use the type in the body. The two types must not differ.
  if (named !== undefined && named !== mediaType) throw invalid('a manifest has two types');
  if (INDEX_TYPES.includes(mediaType)) {
    const { manifests } = demand(Index, json);
    const digests = (of: typeof manifests) => of.map(({ digest }) => digest);
    const linux = manifests.filter(({ platform }) => ['', 'linux'].includes(platform?.os?.toLowerCase() ?? ''));
    return { mediaType, image: null, manifests: digests(manifests), linux: digests(linux) };
  }
  const { config, layers } = demand(Image, json);
  return { mediaType, image: { config, layers }, manifests: [], linux: [] };
}

/** Returns the configuration and the layers of an image, or an empty list for an index. */
export function blobsOf({ image }: Pick<ReadableManifest, 'image'>): Blob[] {
  return image === null ? [] : [image.config, ...image.layers];
}

function mediaTypeIn(json: unknown): string | undefined {
  return demand(z.object({ mediaType: z.string().optional() }), json).mediaType;
}

function demand<T>(schema: z.ZodType<T>, json: unknown): T {
  const { success, data } = schema.safeParse(json);
  if (success) return data;
  throw invalid('a manifest is not JSON of a known form, or has layers at other addresses');
}

/** Maximum number of JSON values in a manifest. Real indexes name a few hundred manifests at most. */
const MOST_VALUES = 100_000;

/** Accepts only JSON that all parsers read in the same way. Engines ignore the case of field names. */
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
const EXACT = new Map(
  [...NAMES, 'digest', 'size', 'urls', 'data', 'platform', 'annotations'].map((name) => [folded(name), name]),
);

/** Rejects a field whose name an engine treats as a known name. @throws RemoteProblem */
function demandExactNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && (EXACT.get(folded(name)) ?? name) !== name)
      throw invalid('a manifest has a field whose name is written in another case');
    // The author of the image chooses the names of annotations freely.
    if (name !== 'annotations') demandExactNames(inner);
  }
}

function invalid(message: string): RemoteProblem {
  return new RemoteProblem('registry_answer_invalid', message);
}
