/**
 * Builds platform images with Docker. Platform images contain Davit's own components or databases. The database records
 * the current images, and `platform-tags.ts` describes their tags.
 */
import { KeyedQueue } from '@davit/service/keyed-queue';
import { EngineRefused } from '../../errors.ts';
import { LABEL } from '../../labels.ts';
import { namePrefix } from '../../names.ts';
import {
  type PackageChange,
  type PackageVersion,
  type PlatformImage,
  PlatformImageFailed,
  type PlatformImageMaker,
  type PlatformImageRecords,
  PlatformImageRefused,
} from '../../platform-images.ts';
import type { DockerClient } from '../client/client.ts';
import { runToEnd } from '../containers/run-once.ts';
import type { Log } from '../context.ts';
import type { Apt } from '../made/debian-apt.ts';
import {
  type BuiltImage,
  buildDebianImage,
  debianImageReference,
  ensureDebianImage,
  findShared,
  recipeHash,
  unlessFailed,
} from '../made/debian-image.ts';
import type { DebianImage } from '../made/debian-recipe.ts';
import { inspectImage, inspectImageById } from './image-calls.ts';
import { removeUnusedTags, tagImage, untagImage } from './platform-tags.ts';

/** Provides the images of Davit's own components (platform images), such as the DNS resolver. */
export interface PlatformImageSource {
  /**
   * Builds an image from its definition (the recipe) if the image does not exist.
   * @returns image id
   */
  ensure(recipe: DebianImage): Promise<string>;
}

/** A component of Davit that runs in containers of a platform image, for example HAProxy. */
export interface PlatformService {
  recipe: DebianImage;
  /**
   * Runs additional tests of a new image, after the commands in `check` of the image definition.
   * @throws PlatformImageRefused if a test fails
   */
  verify?(imageId: string, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the running containers of the component with containers of the current platform image.
   * @throws PlatformImageRefused if a container still uses another image
   */
  rollOut?(signal: AbortSignal): Promise<void>;
}

export interface PlatformImagesOptions {
  davitId: string;
  docker: DockerClient;
  apt: Apt;
  records: PlatformImageRecords;
  /**
   * Whether this Davit instance shares platform images with other Davit instances on the same Docker Engine. All these
   * instances must use the same Debian package sources.
   */
  isShared: boolean;
  now: () => number;
  log: Log;
}

/**
 * Maximum age of the Debian package lists in milliseconds. Before an image is built, older package lists are downloaded
 * again.
 */
const FRESH_MS = 60 * 60_000;
const VERIFY_MS = 60_000;

/**
 * Source of platform images for scripts and tests, which have no database. The source finds images only by tags that
 * all Davit instances share.
 */
export function sharedImages(docker: DockerClient): PlatformImageSource {
  return {
    async ensure(recipe) {
      const reference = await ensureDebianImage(docker, recipe);
      const image = await inspectImage(docker, reference);
      if (image === null) throw new EngineRefused(`The image ${reference} was built but does not exist anymore.`);
      return image.Id;
    },
  };
}

export class DockerPlatformImages implements PlatformImageSource, PlatformImageMaker {
  readonly #options: PlatformImagesOptions;
  readonly #services = new Map<string, PlatformService>();
  /** Queues for changes of platform images, one queue per image. Changes of the same image run one after another. */
  readonly #queue = new KeyedQueue<string>();

  constructor(options: PlatformImagesOptions) {
    this.#options = options;
  }

  register(service: PlatformService): void {
    this.#services.set(service.recipe.name, service);
  }

  names(): readonly string[] {
    return [...this.#services.keys()];
  }

  async ensure(wanted: string | DebianImage): Promise<string> {
    const recipe = typeof wanted === 'string' ? this.#service(wanted).recipe : wanted;
    return (await this.#recorded(recipe)) ?? this.#queue.run(recipe.name, () => this.#ensure(recipe));
  }

  refresh(signal: AbortSignal): Promise<void> {
    return this.#options.apt.refresh(signal);
  }

  async newer(packages: readonly PackageVersion[], signal: AbortSignal): Promise<PackageChange[]> {
    const { apt } = this.#options;
    const candidates = await apt.candidates(
      packages.map(({ name }) => name),
      signal,
    );
    const changes: PackageChange[] = [];
    for (const { name, version } of packages) {
      const to = candidates.get(name) ?? null;
      if (to === null || (await apt.isNewer(to, version))) changes.push({ name, from: version, to });
    }
    return changes;
  }

  async make(name: string, signal: AbortSignal): Promise<PlatformImage> {
    const { recipe } = this.#service(name);
    return this.#queue.run(name, async () => {
      const made = (await this.#sharedUpToDate(recipe, signal)) ?? (await this.#build(recipe, signal));
      await this.#refuseOlder(name, made);
      await this.#hold(recipe, made.imageId);
      const { listsAt: _, ...image } = made;
      return image;
    });
  }

  async verify(name: string, imageId: string, signal: AbortSignal): Promise<void> {
    const { recipe, verify } = this.#service(name);
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(VERIFY_MS)]);
    try {
      await this.#runChecks(recipe, imageId, deadline);
      await verify?.(imageId, deadline);
    } catch (cause) {
      signal.throwIfAborted();
      /*
       * The image check also fails if Docker cannot start a command. The same applies to a command that does not exit
       * before the deadline.
       */
      if (!(cause instanceof EngineRefused) && !deadline.aborted) throw cause;
      throw new PlatformImageRefused(`${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }

  async #runChecks(recipe: DebianImage, imageId: string, signal: AbortSignal): Promise<void> {
    const { davitId, docker } = this.#options;
    const { name } = recipe;
    for (const [program = '', ...args] of recipe.check ?? []) {
      const body = {
        ...{ Image: imageId, Entrypoint: [program], Cmd: args, User: '65534:65534' },
        Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'image-check' },
        HostConfig: { NetworkMode: 'none', ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
      };
      const once = { name: `${namePrefix(davitId)}check-${name}`, body, signal };
      const { exitCode, output } = await runToEnd(docker, once);
      if (exitCode !== 0) throw new PlatformImageRefused(`${name}: ${program} exited with code ${exitCode}: ${output}`);
    }
  }

  async rollOut(name: string, signal: AbortSignal): Promise<void> {
    await this.#service(name).rollOut?.(signal);
    /*
     * Other Davit instances use the image with the shared tag. The new image gets the shared tag only after its rollout
     * on this instance.
     */
    const record = this.#options.records.find(name);
    if (record !== null) await this.#share(this.#service(name).recipe, record.imageId);
  }

  async collect(used: ReadonlyMap<string, string>): Promise<void> {
    const { docker, davitId } = this.#options;
    for (const [imageId, name] of used) {
      // Adds the tag of this Davit instance. An earlier Davit version did not tag all database images.
      if ((await inspectImageById(docker, imageId)) !== null) await this.#hold({ name }, imageId);
    }
    const current = new Set([...this.#services.values()].map(({ recipe }) => debianImageReference(recipe)));
    await removeUnusedTags(docker, { davitId, used, current });
  }

  /**
   * Returns the image id of a platform image from the database. Returns `null` if Docker no longer has the image, or if
   * the image definition has changed.
   */
  async #recorded(recipe: DebianImage): Promise<string | null> {
    const record = this.#options.records.find(recipe.name);
    if (record === null || record.recipe !== recipeHash(recipe)) return null;
    const image = await inspectImageById(this.#options.docker, record.imageId);
    return image?.Id ?? null;
  }

  async #ensure(recipe: DebianImage): Promise<string> {
    const { docker, records, isShared } = this.#options;
    const known = await this.#recorded(recipe);
    if (known !== null) return known;
    const shared = isShared ? await findShared(docker, recipe) : null;
    const image = shared ?? (await this.#build(recipe));
    await this.#hold(recipe, image.imageId);
    await this.#share(recipe, image.imageId);
    const { listsAt: checkedAt, ...made } = image;
    const fresh = { checkedAt, available: [], previous: null, keptBack: null };
    records.put({ name: recipe.name, ...made, ...fresh });
    return image.imageId;
  }

  /**
   * Returns an image that another Davit instance built. Returns `null` if there is no such image, or if one of its
   * Debian packages is outdated.
   */
  async #sharedUpToDate(recipe: DebianImage, signal: AbortSignal): Promise<BuiltImage | null> {
    const { docker, isShared } = this.#options;
    const shared = isShared ? await findShared(docker, recipe) : null;
    if (shared === null || shared.packages.length === 0) return null;
    return (await this.newer(shared.packages, signal)).length === 0 ? shared : null;
  }

  async #build(recipe: DebianImage, signal?: AbortSignal): Promise<BuiltImage> {
    const { apt, docker, now, log, davitId } = this.#options;
    const refreshedAt = await apt.refreshedAt();
    if (refreshedAt === null || Math.abs(now() - refreshedAt) > FRESH_MS) {
      /*
       * If the download fails, the existing package lists are used, because the daemon must also be able to start
       * offline.
       */
      await apt.refresh(signal).catch((error: unknown) => {
        unlessFailed(error);
        log.warn(
          { error, image: recipe.name },
          'package lists could not be refreshed, so the image may contain outdated packages',
        );
      });
    }
    const reference = `davit/${recipe.name}:${davitId}-making`;
    const listsAt = await apt.refreshedAt();
    const image = await buildDebianImage(docker, { recipe, apt, reference, listsAt, signal });
    await this.#hold(recipe, image.imageId);
    await untagImage(docker, reference);
    log.info({ image: recipe.name, packages: image.packages }, 'image of a Davit component was built');
    return image;
  }

  /**
   * Refuses a new platform image with older packages than the current image. Otherwise, an outdated mirror could undo a
   * security update.
   * @throws PlatformImageFailed
   */
  async #refuseOlder(name: string, { packages }: PlatformImage): Promise<void> {
    const { apt, records } = this.#options;
    const had = new Map(records.find(name)?.packages.map((one) => [one.name, one.version]));
    for (const { name: one, version } of packages) {
      const before = had.get(one);
      if (before === undefined || !(await apt.isNewer(before, version))) continue;
      throw new PlatformImageFailed(
        'packages_older',
        `The version ${version} of the package ${one} is older than the installed version ${before}.`,
      );
    }
  }

  #hold({ name }: Pick<DebianImage, 'name'>, imageId: string): Promise<void> {
    const short = imageId.replace('sha256:', '').slice(0, 12);
    return tagImage(this.#options.docker, imageId, `davit/${name}:${this.#options.davitId}-${short}`);
  }

  async #share(recipe: DebianImage, imageId: string): Promise<void> {
    const { docker, isShared } = this.#options;
    if (isShared) await tagImage(docker, imageId, debianImageReference(recipe));
  }

  #service(name: string): PlatformService {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`The platform image ${name} does not exist.`);
    return service;
  }
}
