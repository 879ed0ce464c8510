import type { ImageInfo, ImageInspectInfo } from 'dockerode';
import { EngineRefused, ImageNotFound } from '../errors.ts';
import type { HeldImage, Image, RegistryAuth } from '../image.ts';
import { tagPrefix } from '../names.ts';
import type { DockerContext } from './context.ts';
import { isStatus } from './errors.ts';
import { assertReference, inspectImage, isReference, pullImage, splitReference } from './image-calls.ts';

/** A registry's and an engine's words for an image that is not there. */
const NOT_FOUND = /manifest.* (not found|unknown)|name unknown|no such image|repository does not exist|: not found$/i;

export class DockerImages {
  readonly #context: DockerContext;
  /** HEALTHCHECK commands by image id; an id's content never changes. */
  readonly #healthchecks = new Map<string, string[] | null>();

  constructor(context: DockerContext) {
    this.#context = context;
  }

  async find(reference: string, signal?: AbortSignal): Promise<Image | null> {
    const found = await inspectImage(this.#context.client, reference, signal);
    return found === null ? null : imageOf(found, reference);
  }

  /** The command of the image's HEALTHCHECK, ready to be run; null when it has none. */
  async healthcheck(imageId: string, signal?: AbortSignal): Promise<string[] | null> {
    const known = this.#healthchecks.get(imageId);
    if (known !== undefined) return known;
    const found = await inspectImage(this.#context.client, imageId, signal);
    const command = found === null ? null : healthcheckOf(found);
    this.#healthchecks.set(imageId, command);
    return command;
  }

  /** The digest that the registry has for a reference. */
  async findRemote(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string> {
    assertReference(reference, 'ask the registry');
    const call = { doing: `ask the registry for ${reference}`, path: `/distribution/${reference}/json` };
    try {
      const found = await this.#context.client.call<{ Descriptor: { digest: string } }>({
        ...call,
        auth,
        signal,
        timeoutMs: null,
      });
      return found.Descriptor.digest;
    } catch (error) {
      if (error instanceof EngineRefused && (isStatus(error, 404) || NOT_FOUND.test(error.message)))
        throw missing(error);
      throw error;
    }
  }

  async pull(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<Image> {
    const doing = `pull ${reference}`;
    try {
      await pullImage(this.#context.client, reference, { auth, signal, doing });
    } catch (error) {
      if (error instanceof EngineRefused && NOT_FOUND.test(error.message)) throw missing(error);
      throw error;
    }
    const image = await this.find(reference, signal);
    if (image === null) throw new ImageNotFound(`${doing}: the engine said that it has it and then that it has not`);
    return image;
  }

  async hold(imageId: string, tag: string): Promise<void> {
    this.#assertOurs(tag);
    assertReference(imageId, 'tag image');
    const colon = tag.lastIndexOf(':');
    const query = { repo: tag.slice(0, colon), tag: tag.slice(colon + 1) };
    const path = `/images/${imageId}/tag`;
    try {
      await this.#context.client.call({ doing: 'tag image', method: 'POST', path, query });
    } catch (error) {
      throw isStatus(error, 404) ? missing(error) : error;
    }
  }

  async release(tag: string): Promise<void> {
    this.#assertOurs(tag);
    // Forced: a stopped container of the image must not keep our tag alive. It removes the tag, and the image behind it
    // only when nothing else names or uses it.
    const call = { doing: 'untag image', method: 'DELETE', path: `/images/${tag}`, query: { force: true } } as const;
    try {
      await this.#context.client.call(call);
    } catch (error) {
      // 409: a running container uses the image. The tag is gone all the same, when it is.
      if (isStatus(error, 409) && (await inspectImage(this.#context.client, tag)) === null) return;
      if (!isStatus(error, 404)) throw error;
    }
  }

  /** The engine's filter cannot match names of any depth, so all tags are listed and the others are passed over. */
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
    if ((await inspectImage(this.#context.client, reference))?.Id !== imageId) return true;
    const call = { doing: 'untag image', method: 'DELETE', path: `/images/${reference}` } as const;
    try {
      await this.#context.client.call(call);
      return true;
    } catch (error) {
      // Not forced: the engine itself says that a container, whosever it is, was made from it.
      if (isStatus(error, 409)) return false;
      if (isStatus(error, 404)) return true;
      throw error;
    }
  }

  #assertOurs(tag: string): void {
    if (tag.startsWith(tagPrefix(this.#context.davitId)) && isReference(tag)) return;
    throw new EngineRefused(`the tag ${tag} is not one of this Davit's`);
  }
}

function imageOf(info: ImageInspectInfo, reference: string): Image {
  const ports = Object.keys(info.Config.ExposedPorts ?? {}).filter((port) => port.endsWith('/tcp'));
  return {
    id: info.Id,
    digest: digestOf(info.RepoDigests ?? [], reference),
    exposedPorts: ports.map((port) => Number.parseInt(port, 10)).sort((a, b) => a - b),
    hasHealthcheck: healthcheckOf(info) !== null,
    sizeBytes: info.Size,
  };
}

/** An image that came from several registries has a digest of each: the reference's own, else any. */
function digestOf(repoDigests: string[], reference: string): string | null {
  const { name } = splitReference(reference);
  const own = repoDigests.find((entry) => entry.startsWith(`${name}@`)) ?? repoDigests[0];
  return own?.split('@')[1] ?? null;
}

function healthcheckOf(info: ImageInspectInfo): string[] | null {
  // The types of the client library know neither.
  const config = info.Config as { Healthcheck?: { Test?: string[] } | null; Shell?: string[] | null };
  const [form, ...command] = config.Healthcheck?.Test ?? [];
  if (form === 'CMD') return command;
  if (form === 'CMD-SHELL') return [...(config.Shell ?? ['/bin/sh', '-c']), ...command];
  return null;
}

function missing(error: Error): ImageNotFound {
  return new ImageNotFound(error.message, { cause: error });
}
