import { RemoteProblem } from './problem.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';

/** Maximum number of images of an index. No real index names more. */
const MOST_IMAGES = 200;
/**
 * Maximum size in bytes of all manifests of a pull, which stay in memory until the pull ends. Those of a real index
 * have a few hundred kilobytes together.
 */
const MOST_BYTES = 16 * 1024 * 1024;

/** The pulled manifest and, if the manifest is an index, the manifests of its images. Each manifest is read once. */
export class ManifestTree {
  readonly #registry: RemoteRegistry;
  readonly #root: string;
  readonly #known = new Map<string, Manifest>();
  /** Manifests that the engine received. Manifests that the daemon read for itself do not show what the engine used. */
  readonly #sent = new Set<Manifest>();
  #bytes = 0;

  /** @param root digest of the pulled manifest */
  constructor(registry: RemoteRegistry, root: string) {
    this.#registry = registry;
    this.#root = root;
  }

  /** Reads a manifest that the engine requests. @throws RemoteProblem; the reason of the signal */
  async readForEngine(digest: string, signal: AbortSignal): Promise<Manifest> {
    const manifest = await this.#read(digest, signal);
    this.#sent.add(manifest);
    return manifest;
  }

  /** Returns whether one of the manifests that were read so far has this configuration. */
  names(config: string): boolean {
    return this.#known.values().some(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifest that the engine used for an image, or `null` if this is uncertain. If an image manifest was
   * pulled, the engine used that manifest. For an index, the used manifest is the only image manifest that the engine
   * requested. An engine may have cached manifests, so that it requests none.
   * @param imageId digest of the image's configuration
   * @throws RemoteProblem; the reason of the signal
   */
  async usedFor(imageId: string, signal: AbortSignal): Promise<Manifest | null> {
    const root = await this.#read(this.#root, signal);
    const images = root.image === null ? this.#sent.values().filter(({ image }) => image !== null) : [root].values();
    const [only, ...others] = [...images];
    return only !== undefined && others.length === 0 && only.image?.config.digest === imageId ? only : null;
  }

  /**
   * Returns all manifests with a configuration, beginning with the manifests that the engine requested. An index may
   * name several of these manifests with different layers.
   * @throws RemoteProblem; the reason of the signal
   */
  async imagesWith(config: string, signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    for (const digest of root.manifests.slice(0, MOST_IMAGES)) await this.#read(digest, signal).catch(nullIfMissing);
    const all = new Set([...this.#sent, ...this.#known.values()]);
    return [...all].filter(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifests of all images that an engine on Linux may run.
   * @throws RemoteProblem also if the registry lacks one of the images, because the engine may have cached the missing
   * image
   */
  async linuxImages(signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    if (root.image !== null) return [root];
    const images: Manifest[] = [];
    if (root.linux.length > MOST_IMAGES) throw noManifest();
    for (const digest of root.linux) images.push(await this.#read(digest, signal));
    if (images.some(({ image }) => image === null)) throw noManifest();
    return images;
  }

  /**
   * Finds a manifest, including manifests that the engine did not request, because engines cache manifests.
   * @throws RemoteProblem if no manifest matches; the reason of the signal
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
      throw new RemoteProblem('registry_answer_invalid', `the manifests of a pull have more than ${MOST_BYTES} bytes`);
    this.#known.set(digest, manifest);
    return manifest;
  }
}

function noManifest(): RemoteProblem {
  return new RemoteProblem('registry_answer_invalid', 'no manifest names the image that the engine pulls');
}

/** Returns `null` for a missing manifest. An index may name images of platforms that its repository does not have. */
function nullIfMissing(cause: unknown): null {
  if (cause instanceof RemoteProblem && cause.code === 'image_not_found') return null;
  throw cause;
}
