import { createHash } from 'node:crypto';
import { canonicalReference, formatReference, tagOfName } from '@davit/api';
import { EngineRefused, ImageNotFound } from '../errors.ts';
import type { HeldImage, Image, LocalTag, RegistryAuth } from '../image.ts';
import { tagPrefix } from '../names.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviourOf, isMissingReference } from './behaviour.ts';
import { demandEntryFor } from './registry.ts';
import type { MemoryImage, SimulatedEngineState } from './state.ts';

/**
 * Properties of a simulated image that a test can set. By default, the image tag determines the behavior of the image's
 * containers.
 */
export interface ImageDefinition {
  /**
   * Location of the simulated image. `registry` means that the image can be pulled. `engine` means that Docker already
   * has the image. Default: `engine`.
   */
  where?: 'registry' | 'engine';
  exposedPorts?: number[];
  hasHealthcheck?: boolean;
  isFromGateway?: boolean;
  sizeBytes?: number;
  /** Build time of the image in milliseconds since the epoch. Default: the current time. */
  builtAt?: number;
  /** Manifest digest of the image. `null` for an image that was built locally and is in no registry. */
  digest?: string | null;
  behaviour?: Partial<Behaviour>;
}

export class MemoryImages {
  readonly #state: SimulatedEngineState;
  readonly #davitId: string;
  readonly #anyImage: boolean;

  constructor(state: SimulatedEngineState, davitId: string, anyImage: boolean) {
    this.#state = state;
    this.#davitId = davitId;
    this.#anyImage = anyImage;
  }

  /**
   * Adds an image to the simulated Docker. If another image already has this reference, the reference moves to the new
   * image, as in a repeated `docker push`.
   */
  add(reference: string, definition: ImageDefinition = {}): Image {
    const image = this.#make(reference, definition);
    if ((definition.where ?? 'engine') === 'registry') this.#publish(normal(reference), image);
    else this.#keep(normal(reference), image);
    return view(image);
  }

  forget(reference: string): void {
    this.#state.registry.delete(normal(reference));
    for (const image of this.#state.images.values()) {
      if (image.references.delete(normal(reference)) && !this.#isUsed(image)) this.#state.images.delete(image.id);
    }
  }

  remove(id: string): () => void {
    const image = this.#state.images.get(id);
    const held = [...this.#state.held].filter(([, held]) => held === id);
    this.#state.images.delete(id);
    for (const [tag] of held) this.#state.held.delete(tag);
    return () => {
      if (image !== undefined) this.#state.images.set(id, image);
      for (const [tag] of held) this.#state.held.set(tag, id);
    };
  }

  find(reference: string): Image | null {
    const image = this.#lookUp(normal(reference));
    return image === null ? null : view(image);
  }

  findById(id: string): Image | null {
    if (!/^sha256:[0-9a-f]{64}$/.test(id))
      throw new EngineRefused(`${JSON.stringify(id)} is not a valid image ID (inspect image).`);
    const image = this.#state.images.get(id);
    return image === undefined ? null : view(image);
  }

  localTags(repository: string): LocalTag[] {
    const colon = normal(repository).lastIndexOf(':');
    const prefix = normal(repository).slice(0, colon + 1);
    return [...this.#state.images.values()].flatMap(({ id, digest, isFromGateway, sizeBytes, builtAt, references }) =>
      [...references]
        .filter((name) => name.startsWith(prefix))
        .map((name) => ({ tag: tagOfName(name), id, digest, isFromGateway, sizeBytes, builtAt })),
    );
  }

  /** Returns the digest of an image's manifest in the simulated registry. */
  findRemote(reference: string, auth: RegistryAuth | null): string {
    const image = this.#remote(reference, auth, 'get the digest of');
    return image.digest ?? image.id;
  }

  pull(reference: string, auth: RegistryAuth | null): Image {
    const image = this.#remote(reference, auth, 'pull');
    this.#keep(normal(reference), image);
    return view(image);
  }

  /**
   * Returns an image in the simulated registry. If the option `anyImage` is set, an unknown image is created at the
   * first request.
   * @throws ImageNotFound if the registry does not have the image
   */
  #remote(reference: string, auth: RegistryAuth | null, doing: string): MemoryImage {
    const name = normal(reference);
    demandEntryFor(this.#state, name, auth, `${doing} ${reference}`);
    const known = this.#state.registry.get(name) ?? (this.#anyImage ? this.#lookUp(name) : null);
    if (known !== null && known !== undefined) return known;
    /*
     * The simulation has no list of the images in Davit's own registry (`localhost`). For this registry, any digest is
     * valid.
     */
    if (isMissingReference(name) || (name.includes('@') && !name.startsWith('localhost:')) || !this.#anyImage)
      throw new ImageNotFound(`The registry has no image ${reference} (${doing}).`);
    const digest = name.split('@')[1];
    const image = this.#make(reference, digest === undefined ? {} : { digest });
    this.#publish(name, image);
    return image;
  }

  /**
   * Adds an image to the simulated registry. The image keeps its digest reference even if its tag later moves to
   * another image.
   */
  #publish(name: string, image: MemoryImage): void {
    this.#state.registry.set(name, image);
    if (image.digest !== null && !name.includes('@'))
      this.#state.registry.set(`${name.slice(0, name.lastIndexOf(':'))}@${image.digest}`, image);
  }

  name(imageId: string, reference: string): void {
    const image = this.#state.images.get(imageId);
    if (image === undefined) throw new ImageNotFound(`Docker has no image ${imageId} (tag image).`);
    this.#keep(normal(reference), image);
  }

  hold(imageId: string, tag: string): void {
    this.#assertOurs(tag);
    if (!this.#state.images.has(imageId)) throw new ImageNotFound(`Docker has no image ${imageId} (tag image).`);
    this.#state.held.set(tag, imageId);
  }

  release(tag: string): void {
    this.#assertOurs(tag);
    const imageId = this.#state.held.get(tag);
    this.#state.held.delete(tag);
    const image = imageId === undefined ? undefined : this.#state.images.get(imageId);
    if (image !== undefined && !this.#isUsed(image)) this.#state.images.delete(image.id);
  }

  held(): string[] {
    return [...this.#state.held.keys()].filter((tag) => tag.startsWith(tagPrefix(this.#davitId))).sort();
  }

  inspectHeld(): HeldImage[] {
    return this.held().map((tag) => {
      const imageId = this.#state.held.get(tag) ?? '';
      return { tag, imageId, sizeBytes: this.#state.images.get(imageId)?.sizeBytes ?? 0 };
    });
  }

  untag(reference: string, imageId: string): boolean {
    const image = this.#state.images.get(imageId);
    if (!image?.references.has(normal(reference))) return true;
    image.references.delete(normal(reference));
    const isHeld = image.references.size > 0 || [...this.#state.held.values()].includes(imageId);
    const isStuck = !isHeld && this.#isUsed(image);
    if (isStuck) image.references.add(normal(reference));
    else if (!isHeld) this.#state.images.delete(imageId);
    return !isStuck;
  }

  #make(reference: string, definition: ImageDefinition): MemoryImage {
    const serial = this.#state.nextId++;
    return {
      id: digestOf(`${reference} ${serial}`),
      digest: definition.digest === undefined ? digestOf(`manifest ${reference} ${serial}`) : definition.digest,
      exposedPorts: [...(definition.exposedPorts ?? [])].sort((a, b) => a - b),
      hasHealthcheck: definition.hasHealthcheck ?? false,
      isFromGateway: definition.isFromGateway ?? false,
      sizeBytes: definition.sizeBytes ?? 1_000_000,
      builtAt: definition.builtAt ?? Date.now(),
      references: new Set(),
      behaviour: { ...behaviourOf(reference), ...definition.behaviour },
    };
  }

  #keep(reference: string, image: MemoryImage): void {
    for (const other of this.#state.images.values()) other.references.delete(reference);
    image.references.add(reference);
    this.#state.images.set(image.id, image);
  }

  /** @param name image reference in canonical form */
  #lookUp(name: string): MemoryImage | null {
    for (const [tag, id] of this.#state.held) if (normal(tag) === name) return this.#state.images.get(id) ?? null;
    return [...this.#state.images.values()].find((image) => image.references.has(name)) ?? null;
  }

  #isUsed(image: MemoryImage): boolean {
    if (image.references.size > 0 || [...this.#state.held.values()].includes(image.id)) return true;
    return [...this.#state.containers.values()].some((container) => container.imageId === image.id);
  }

  #assertOurs(tag: string): void {
    if (!tag.startsWith(tagPrefix(this.#davitId)))
      throw new EngineRefused(`This instance did not create the tag ${tag}.`);
  }
}

function view(image: MemoryImage): Image {
  const { id, digest, exposedPorts, hasHealthcheck, sizeBytes, isFromGateway } = image;
  return { id, digest, exposedPorts: [...exposedPorts], hasHealthcheck, sizeBytes, isFromGateway };
}

/**
 * Returns the canonical form of an image reference. The simulation stores all references in canonical form.
 * @throws EngineRefused if the text is not an image reference
 */
function normal(reference: string): string {
  const parsed = canonicalReference(reference);
  if (parsed === null) throw new EngineRefused(`${JSON.stringify(reference)} is not a valid image name.`);
  return formatReference(parsed);
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
