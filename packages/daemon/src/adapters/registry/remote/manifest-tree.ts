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
   * Returns whether this pull contains an image with the given configuration. Checks only the manifests that were
   * already read.
   * @param config digest of the image configuration
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
   * Returns all image manifests of this pull with the given image configuration, first the manifests that Docker
   * requested. Several images of an image index can have the same configuration but different layers.
   * @param config digest of the image configuration
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
   * Returns the manifests of all images that Docker may run after this pull. For an image index, these are the images
   * for Linux and the images that Docker requested.
   * @throws RemoteProblem if the registry fails or does not have one of these images. Otherwise, Docker could use an
   * image from its cache that the registry does not have
   */
  async linuxImages(signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    if (root.image !== null) return [root];
    const images: Manifest[] = [];
    if (root.linux.length > MOST_IMAGES) throw noManifest();
    for (const digest of root.linux) images.push(await this.#read(digest, signal));
    if (images.some(({ image }) => image === null)) throw noManifest();
    // Includes the images that Docker requested, because Docker may choose an image that is not listed as Linux.
    const requested = this.#sent.values().filter(({ image }) => image !== null);
    return [...new Set([...images, ...requested])];
  }

  /**
   * Returns the first manifest of this pull for which `isWanted` returns `true`. Docker caches manifests, so the search
   * includes manifests that Docker did not request in this pull.
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
    'the registry has no valid manifest for the image that Docker pulls',
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
