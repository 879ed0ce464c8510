import { RemoteProblem } from './problem.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';

/** Maximum number of images that Davit reads from one image index. In practice, image indexes contain fewer images. */
const MOST_IMAGES = 200;
/**
 * Maximum total size in bytes of all manifests of a pull. The manifests stay in memory until the pull ends. In
 * practice, an image index and its manifests have a few hundred kilobytes.
 */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Manifests of one pull. For an image index, these are the index and the manifests of its images. Each manifest is read
 * only once.
 */
export class ManifestTree {
  readonly #registry: RemoteRegistry;
  readonly #root: string;
  readonly #known = new Map<string, Manifest>();
  /**
   * Manifests that Docker requested during the pull. The manifests show which image Docker uses. The set omits
   * manifests that only the daemon has read.
   */
  readonly #sent = new Set<Manifest>();
  #bytes = 0;

  /** @param root digest of the manifest to pull */
  constructor(registry: RemoteRegistry, root: string) {
    this.#registry = registry;
    this.#root = root;
  }

  /**
   * Reads a manifest that Docker requests.
   * @throws RemoteProblem if the registry fails
   * @throws the abort reason of `signal`
   */
  async readForEngine(digest: string, signal: AbortSignal): Promise<Manifest> {
    const manifest = await this.#read(digest, signal);
    this.#sent.add(manifest);
    return manifest;
  }

  /**
   * Returns whether the daemon has already read an image manifest with the given configuration.
   * @param config digest of the image configuration
   */
  names(config: string): boolean {
    return this.#known.values().some(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifest that Docker used for an image id. Returns `null` if the manifest is uncertain, because Docker
   * may have used a manifest from its cache.
   * @throws RemoteProblem, or the abort reason
   */
  async usedFor(imageId: string, signal: AbortSignal): Promise<Manifest | null> {
    const root = await this.#read(this.#root, signal);
    // If Docker pulls an image index and requests only one image manifest, Docker uses this image.
    const images = root.image === null ? this.#sent.values().filter(({ image }) => image !== null) : [root].values();
    const [only, ...others] = [...images];
    return only !== undefined && others.length === 0 && only.image?.config.digest === imageId ? only : null;
  }

  /**
   * Returns the manifests of all images with the given configuration. The layers of these images can differ. Manifests
   * that Docker requested come first.
   * @throws RemoteProblem, or the abort reason
   */
  async imagesWith(config: string, signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    for (const digest of root.manifests.slice(0, MOST_IMAGES)) await this.#read(digest, signal).catch(nullIfMissing);
    const all = new Set([...this.#sent, ...this.#known.values()]);
    return [...all].filter(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifests of the images that Docker may run after this pull. These are the images for Linux and the
   * images that Docker requested.
   * @throws RemoteProblem, also if a manifest is missing in the registry, because Docker may have it in its cache
   */
  async linuxImages(signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    if (root.image !== null) return [root];
    const images: Manifest[] = [];
    if (root.linux.length > MOST_IMAGES) throw noManifest();
    for (const digest of root.linux) images.push(await this.#read(digest, signal));
    if (images.some(({ image }) => image === null)) throw noManifest();
    // Adds the images that Docker requested, because Docker may choose an image that is not listed for Linux.
    const requested = this.#sent.values().filter(({ image }) => image !== null);
    return [...new Set([...images, ...requested])];
  }

  /**
   * Returns the first manifest for which `isWanted` returns `true`. The search includes manifests that Docker did not
   * request, because Docker may have them in its cache.
   * @throws RemoteProblem if no manifest matches, or the abort reason
   */
  async find(isWanted: (manifest: Manifest) => boolean, signal: AbortSignal): Promise<Manifest> {
    const known = this.#known.values().find(isWanted);
    if (known !== undefined) return known;
    const root = await this.#read(this.#root, signal);
    if (isWanted(root)) return root;
    for (const digest of root.manifests.slice(0, MOST_IMAGES)) {
      const manifest = await this.#read(digest, signal).catch(nullIfMissing);
      if (manifest !== null && isWanted(manifest)) return manifest;
    }
    throw noManifest();
  }

  async #read(digest: string, signal: AbortSignal): Promise<Manifest> {
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    const manifest = await this.#registry.manifest(digest, signal);
    this.#bytes += manifest.bytes.length;
    if (this.#bytes > MOST_BYTES)
      throw new RemoteProblem(
        'registry_answer_invalid',
        `the manifests of an image have more than ${MOST_BYTES} bytes together`,
      );
    this.#known.set(digest, manifest);
    return manifest;
  }
}

function noManifest(): RemoteProblem {
  return new RemoteProblem(
    'registry_answer_invalid',
    'the registry has no valid manifest for the image that Docker pulls',
  );
}

/**
 * Returns `null` if the error means that a manifest is missing. An image index can list platforms whose images the
 * repository does not have.
 */
function nullIfMissing(cause: unknown): null {
  if (cause instanceof RemoteProblem && cause.code === 'image_not_found') return null;
  throw cause;
}
