import { RemoteProblem } from './problem.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';

/** Maximum number of images that Davit reads from one image index. Real image indexes contain fewer images. */
const MOST_IMAGES = 200;
/**
 * Maximum total size in bytes of the manifests of one pull, because they stay in memory until the pull ends. Real image
 * indexes and their manifests have a few hundred kilobytes together.
 */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Manifests of one pull: the manifest that Docker pulls and, for an image index, the manifests of its images. Each
 * manifest is read only once.
 */
export class ManifestTree {
  readonly #registry: RemoteRegistry;
  readonly #root: string;
  readonly #known = new Map<string, Manifest>();
  /**
   * Manifests that Docker requested during the pull. They show which image Docker uses. Manifests that only the daemon
   * has read are not in this set.
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
   * Returns whether one of the manifests that were already read has this image configuration.
   * @param config digest of the configuration
   */
  names(config: string): boolean {
    return this.#known.values().some(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifest that Docker used for an image. Returns `null` if this is uncertain. For the pull of a single
   * image, this is the manifest of that image. For an image index, it is the only image manifest that Docker requested.
   * Docker may have requested none, because it caches manifests.
   * @param imageId digest of the image configuration
   * @throws RemoteProblem if the registry fails
   * @throws the abort reason of `signal`
   */
  async usedFor(imageId: string, signal: AbortSignal): Promise<Manifest | null> {
    const root = await this.#read(this.#root, signal);
    const images = root.image === null ? this.#sent.values().filter(({ image }) => image !== null) : [root].values();
    const [only, ...others] = [...images];
    return only !== undefined && others.length === 0 && only.image?.config.digest === imageId ? only : null;
  }

  /**
   * Returns all manifests with the given image configuration. Manifests that Docker requested come first. An image
   * index can contain several manifests with the same configuration and different layers.
   * @param config digest of the configuration
   * @throws RemoteProblem if the registry fails
   * @throws the abort reason of `signal`
   */
  async imagesWith(config: string, signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    for (const digest of root.manifests.slice(0, MOST_IMAGES)) await this.#read(digest, signal).catch(nullIfMissing);
    const all = new Set([...this.#sent, ...this.#known.values()]);
    return [...all].filter(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifests of all images that Docker may use: all Linux images of an image index, and all images that
   * Docker requested.
   * @throws RemoteProblem if the registry fails, or if one of these images is missing in the registry. Docker could use
   * a missing image from its own cache, so a missing image is an error
   */
  async linuxImages(signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    if (root.image !== null) return [root];
    const images: Manifest[] = [];
    if (root.linux.length > MOST_IMAGES) throw noManifest();
    for (const digest of root.linux) images.push(await this.#read(digest, signal));
    if (images.some(({ image }) => image === null)) throw noManifest();
    // Also returns the images that Docker requested, because Docker may choose a platform that Davit does not know.
    const requested = this.#sent.values().filter(({ image }) => image !== null);
    return [...new Set([...images, ...requested])];
  }

  /**
   * Returns the first manifest of this pull for which `isWanted` returns `true`. Also reads manifests that Docker did
   * not request, because Docker may already have them.
   * @throws RemoteProblem if no manifest matches
   * @throws the abort reason of `signal`
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
    'the manifests in the registry do not match the image that Docker pulls',
  );
}

/**
 * Error handler that returns `null` if the registry does not have a manifest. This is normal, because an image index
 * can list platforms whose images are not in the repository.
 */
function nullIfMissing(cause: unknown): null {
  if (cause instanceof RemoteProblem && cause.code === 'image_not_found') return null;
  throw cause;
}
