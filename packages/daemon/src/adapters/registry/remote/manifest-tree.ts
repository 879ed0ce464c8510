import { RemoteProblem } from './problem.ts';
import type { Manifest, RemoteRegistry } from './remote-registry.ts';

/** More images than any real index names. */
const MOST_IMAGES = 200;
/** All manifests of a pull are kept in memory until it ends; those of a real index have a few hundred kilobytes together. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The manifest that is pulled, and for an index those of its images. Each is read once. */
export class ManifestTree {
  readonly #registry: RemoteRegistry;
  readonly #root: string;
  readonly #known = new Map<string, Manifest>();
  /** What the engine got. The daemon reads others itself, which say nothing about what the engine used. */
  readonly #sent = new Set<Manifest>();
  #bytes = 0;

  /** @param root digest of the manifest that is pulled */
  constructor(registry: RemoteRegistry, root: string) {
    this.#registry = registry;
    this.#root = root;
  }

  /** Reads a manifest that the engine requests. @throws RemoteProblem; the signal's reason */
  async readForEngine(digest: string, signal: AbortSignal): Promise<Manifest> {
    const manifest = await this.#read(digest, signal);
    this.#sent.add(manifest);
    return manifest;
  }

  /** Whether a manifest that was read so far has this configuration. */
  names(config: string): boolean {
    return this.#known.values().some(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifest that the engine certainly used for an image: the one that was pulled if it is of an image, else
   * the only one of an image that the engine requested. An engine may have kept manifests, so that it requests none.
   * @param imageId digest of the image's configuration
   * @throws RemoteProblem; the signal's reason
   */
  async usedFor(imageId: string, signal: AbortSignal): Promise<Manifest | null> {
    const root = await this.#read(this.#root, signal);
    const images = root.image === null ? this.#sent.values().filter(({ image }) => image !== null) : [root].values();
    const [only, ...others] = [...images];
    return only !== undefined && others.length === 0 && only.image?.config.digest === imageId ? only : null;
  }

  /**
   * Returns all manifests with a configuration, those first that the engine requested. An index may name several, with
   * different layers.
   * @throws RemoteProblem; the signal's reason
   */
  async imagesWith(config: string, signal: AbortSignal): Promise<Manifest[]> {
    const root = await this.#read(this.#root, signal);
    for (const digest of root.manifests.slice(0, MOST_IMAGES)) await this.#read(digest, signal).catch(nullIfMissing);
    const all = new Set([...this.#sent, ...this.#known.values()]);
    return [...all].filter(({ image }) => image?.config.digest === config);
  }

  /**
   * Returns the manifests of all images that an engine on Linux may run.
   * @throws RemoteProblem also if the registry does not have all of them: the engine may have kept the others
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
   * Finds a manifest, also one that the engine did not ask for: engines keep manifests.
   * @throws RemoteProblem if there is none; the signal's reason
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
  return new RemoteProblem('registry_answer_invalid', 'no manifest names what the engine pulls');
}

/** An index may name images of platforms that its repository does not have. */
function nullIfMissing(cause: unknown): null {
  if (cause instanceof RemoteProblem && cause.code === 'image_not_found') return null;
  throw cause;
}
