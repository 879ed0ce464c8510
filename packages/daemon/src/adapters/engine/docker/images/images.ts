import { canonicalReference, isHeldName, isReservedImage, tagOfName } from '@davit/api';
import type { ImageInfo, ImageInspectInfo } from 'dockerode';
import { EngineProblem } from '../../engine-problem.ts';
import { EngineRefused, ImageNotFound, PullRefused } from '../../errors.ts';
import type { HeldImage, Image, LocalTag, RegistryAuth } from '../../image.ts';
import { gatewayRepository, tagPrefix } from '../../names.ts';
import { isStatus } from '../client/errors.ts';
import { pullProblemCodeOf } from '../client/problem-codes.ts';
import type { DockerContext } from '../context.ts';
import { assertImageId, engineReference, inspectImage, inspectImageById, pullImage } from './image-calls.ts';

export class DockerImages {
  readonly #context: DockerContext;
  /**
   * Map from image id to the HEALTHCHECK command of the image. Entries never expire, because an image with a given id
   * never changes.
   */
  readonly #healthchecks = new Map<string, string[] | null>();

  constructor(context: DockerContext) {
    this.#context = context;
  }

  async find(reference: string, signal?: AbortSignal): Promise<Image | null> {
    const { client } = this.#context;
    const found = (await inspectImage(client, reference, signal)) ?? (await this.#inspectAtGateway(reference, signal));
    if (found === null) return null;
    const isFromGateway = (found.RepoDigests ?? []).some((name) => isGatewayNameOf(name, reference));
    return { ...imageOf(found, (name) => this.#isNameOf(name, reference)), isFromGateway };
  }

  async findById(id: string, signal?: AbortSignal): Promise<Image | null> {
    const found = await inspectImageById(this.#context.client, id, signal);
    return found === null ? null : imageOf(found, () => false);
  }

  /**
   * Returns the tags of one repository. Davit filters the tags itself, because Docker's filter accepts patterns and
   * does not compare canonical names.
   */
  async localTags(repository: string, signal?: AbortSignal): Promise<LocalTag[]> {
    const doing = 'list images';
    const wanted = engineReference(repository, doing);
    const images = await this.#context.client.call<ImageInfo[]>({ doing, path: '/images/json', signal });
    return images.flatMap(({ Id: id, Size: sizeBytes, Created: created, RepoTags, RepoDigests }) => {
      const tags = (RepoTags ?? []).filter((name) => repositoryOf(name) === repositoryOf(wanted));
      const names = RepoDigests ?? [];
      const isFromGateway = names.some((name) => isGatewayNameOf(name, wanted));
      const digest = digestOf(names, (name) => this.#isNameOf(name, wanted));
      const image = { id, digest, isFromGateway, sizeBytes, builtAt: Math.max(0, created * 1_000) };
      return tags.map((name) => ({ tag: tagOfName(name), ...image }));
    });
  }

  /**
   * Returns the HEALTHCHECK command of an image, including its shell. Returns `null` if the image has no HEALTHCHECK.
   */
  async healthcheck(imageId: string, signal?: AbortSignal): Promise<string[] | null> {
    const known = this.#healthchecks.get(imageId);
    if (known !== undefined) return known;
    const found = await inspectImageById(this.#context.client, imageId, signal);
    const command = found === null ? null : healthcheckOf(found);
    this.#healthchecks.set(imageId, command);
    return command;
  }

  /** Returns the digest of an image's manifest in its registry. Docker sends the request to the registry. */
  async findRemote(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string> {
    const doing = `get the digest of ${reference} from its registry`;
    const call = { doing, path: `/distribution/${engineReference(reference, doing)}/json` };
    try {
      const found = await this.#context.client.call<{ Descriptor: { digest: string } }>({
        ...call,
        auth,
        signal,
        timeoutMs: null,
      });
      return found.Descriptor.digest;
    } catch (error) {
      if (isStatus(error, 404)) throw missing(error);
      throw refusal(error);
    }
  }

  async pull(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<Image> {
    const doing = `pull ${reference}`;
    /*
     * Refuses to pull an image whose name is reserved for platform images. The pull would replace an image that Davit
     * built.
     */
    if (isReservedImage(reference))
      throw new EngineRefused(
        `The image ${reference} cannot be pulled, because its name is reserved for images that Davit builds.`,
      );
    try {
      await pullImage(this.#context.client, reference, { auth, signal, doing });
    } catch (error) {
      throw refusal(error);
    }
    const image = await this.find(reference, signal);
    if (image === null)
      throw new ImageNotFound(`The image ${reference} was removed from Docker immediately after the pull.`);
    return image;
  }

  async hold(imageId: string, tag: string): Promise<void> {
    this.#assertOurs(tag);
    await this.name(imageId, tag);
  }

  async name(imageId: string, reference: string): Promise<void> {
    assertImageId(imageId, 'tag image');
    const name = engineReference(reference, 'tag image');
    const colon = name.lastIndexOf(':');
    const query = { repo: name.slice(0, colon), tag: name.slice(colon + 1) };
    const call = { doing: 'tag image', method: 'POST', path: `/images/${imageId}/tag`, query } as const;
    try {
      await this.#context.client.call(call);
    } catch (error) {
      throw isStatus(error, 404) ? missing(error) : error;
    }
  }

  async release(tag: string): Promise<void> {
    this.#assertOurs(tag);
    /*
     * With `force`, Docker removes the tag even if a stopped container uses the image. Docker then keeps the image
     * without the tag.
     */
    const call = { doing: 'untag image', method: 'DELETE', path: `/images/${tag}`, query: { force: true } } as const;
    try {
      await this.#context.client.call(call);
    } catch (error) {
      // Status 409 means that a running container uses the image. Docker may have removed the tag despite this error.
      if (isStatus(error, 409) && (await inspectImage(this.#context.client, tag)) === null) return;
      if (!isStatus(error, 404)) throw error;
    }
  }

  /**
   * Returns the image tags of this Davit instance. Davit filters the tags itself, because patterns in Docker's filter
   * cannot match any number of slashes.
   */
  async held(): Promise<string[]> {
    return (await this.inspectHeld()).map(({ tag }) => tag);
  }

  async inspectHeld(): Promise<HeldImage[]> {
    const images = await this.#context.client.call<ImageInfo[]>({ doing: 'list images', path: '/images/json' });
    const tagged = images.flatMap(({ Id: imageId, Size: sizeBytes, RepoTags }) =>
      (RepoTags ?? []).map((tag) => ({ tag, imageId, sizeBytes })),
    );
    const own = tagged.filter(({ tag }) => tag.startsWith(tagPrefix(this.#context.davitId)));
    return own.sort((a, b) => (a.tag < b.tag ? -1 : 1));
  }

  async untag(reference: string, imageId: string): Promise<boolean> {
    const isNamed = (await inspectImage(this.#context.client, reference))?.Id === imageId;
    if (isNamed && !(await this.#remove(reference))) return false;
    for (const name of await this.#gatewayNames(reference, imageId)) {
      if (await this.#remove(name)) continue;
      // Docker keeps an image that a container uses. The code adds the removed tag again, because users see the tag.
      if (isNamed && !reference.includes('@')) await this.name(imageId, reference);
      return false;
    }
    return true;
  }

  /**
   * Returns an image's digest names, such as `name@sha256:…`. Docker added these names during a pull through the
   * registry gateway (Davit's proxy).
   */
  async #gatewayNames(reference: string, imageId: string): Promise<string[]> {
    const repository = repositoryOf(reference);
    const found = repository === null ? null : await inspectImageById(this.#context.client, imageId);
    // Keeps the digest names if the image still has another tag of the same repository.
    if (found === null || found.RepoTags?.some((tag) => repositoryOf(tag) === repository)) return [];
    return (found.RepoDigests ?? []).filter((name) => this.#isGatewayName(name, reference));
  }

  /**
   * Finds an image that Docker pulled by digest through the registry gateway. Docker lists such an image only under the
   * name `localhost:<port>/…@sha256:…`.
   */
  async #inspectAtGateway(reference: string, signal: AbortSignal | undefined): Promise<ImageInspectInfo | null> {
    const digest = canonicalReference(reference)?.digest ?? null;
    if (digest === null) return null;
    const call = { doing: 'list images', path: '/images/json', signal };
    const images = await this.#context.client.call<ImageInfo[]>(call);
    const isIt = (name: string) => name.endsWith(`@${digest}`) && this.#isGatewayName(name, reference);
    const found = images.find(({ RepoDigests }) => RepoDigests?.some(isIt));
    return found === undefined ? null : inspectImageById(this.#context.client, found.Id, signal);
  }

  /**
   * Returns whether the image name `name` comes from a pull through the registry gateway. The name may contain an
   * earlier port of the gateway.
   */
  #isGatewayName(name: string, reference: string): boolean {
    const [parsed, given] = [canonicalReference(reference), canonicalReference(name)];
    if (parsed === null || !given?.host.startsWith('localhost:')) return false;
    return given.repository === gatewayRepository(this.#context.davitId, parsed);
  }

  /**
   * Removes one name of an image from Docker.
   * @returns `false` if a container uses the image and the image has no other name
   */
  async #remove(name: string): Promise<boolean> {
    const path = `/images/${engineReference(name, 'untag image')}`;
    const call = { doing: 'untag image', method: 'DELETE', path } as const;
    try {
      await this.#context.client.call(call);
      return true;
    } catch (error) {
      // Status 409 means that a container uses the image. Docker then keeps the last name of the image.
      if (isStatus(error, 409)) return false;
      if (isStatus(error, 404)) return true;
      throw error;
    }
  }

  /**
   * Returns whether an image name belongs to the same repository as `reference`. The name may also come from a pull
   * through the registry gateway.
   */
  #isNameOf(name: string, reference: string): boolean {
    return repositoryOf(name) === repositoryOf(reference) || this.#isGatewayName(name, reference);
  }

  #assertOurs(tag: string): void {
    if (tag.startsWith(tagPrefix(this.#context.davitId)) && canonicalReference(tag) !== null) return;
    throw new EngineRefused(`This instance did not create the tag ${tag}.`);
  }
}

function imageOf(info: ImageInspectInfo, isOwn: (name: string) => boolean): Image {
  const ports = Object.keys(info.Config?.ExposedPorts ?? {}).flatMap(tcpPortOf);
  return {
    id: info.Id,
    digest: digestOf(info.RepoDigests ?? [], isOwn),
    exposedPorts: ports.sort((a, b) => a - b),
    hasHealthcheck: healthcheckOf(info) !== null,
    sizeBytes: info.Size,
    isFromGateway: false,
  };
}

/** Returns whether an image name comes from a pull through the registry gateway of any Davit instance. */
function isGatewayNameOf(name: string, reference: string): boolean {
  const [parsed, given] = [canonicalReference(reference), canonicalReference(name)];
  if (parsed === null || given === null || !isHeldName(given)) return false;
  const [, davitId = ''] = /^davit-([^/]+)\//.exec(given.repository) ?? [];
  return given.repository === gatewayRepository(davitId, parsed);
}

/**
 * Returns the TCP port from a text such as `80/tcp`, or an empty list for other text. Docker copies the text from the
 * image without a check.
 */
function tcpPortOf(text: string): number[] {
  const port = Number(/^(\d{1,5})\/tcp$/.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? [port] : [];
}

/** Returns a digest that Docker can use to pull the image again from the matching repository, or `null`. */
function digestOf(repoDigests: string[], isOwn: (name: string) => boolean): string | null {
  return repoDigests.find(isOwn)?.split('@')[1] ?? null;
}

function repositoryOf(reference: string): string | null {
  const found = canonicalReference(reference);
  return found && `${found.host}/${found.repository}`;
}

/**
 * Fields of an image configuration that are missing in the types of the Docker client library. Newer Docker versions
 * omit empty fields.
 */
type ImageConfig = { Healthcheck?: { Test?: string[] | null } | null; Shell?: string[] | null } | undefined;

function healthcheckOf({ Config }: ImageInspectInfo): string[] | null {
  const config = Config as ImageConfig;
  const [form, ...command] = config?.Healthcheck?.Test ?? [];
  if (command.length === 0) return null;
  if (form === 'CMD') return command;
  if (form === 'CMD-SHELL') return [...(config?.Shell ?? ['/bin/sh', '-c']), ...command];
  return null;
}

function refusal(error: unknown): unknown {
  if (!(error instanceof EngineRefused)) return error;
  const words = error instanceof EngineProblem ? error.words : error.message;
  const code = pullProblemCodeOf(words);
  if (code === null) return error;
  return code === 'image_not_found' ? missing(error) : new PullRefused(code, words, { cause: error });
}

function missing(error: Error): ImageNotFound {
  return new ImageNotFound(error.message, { cause: error });
}
