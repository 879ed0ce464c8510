import { access, readFile } from 'node:fs/promises';
import { unlessAborted } from '@davit/service';
import { EngineProblem } from '../../engine-problem.ts';
import { EngineRefused } from '../../errors.ts';
import { type MadeEngine, type MadeImage, madeReference } from '../../made-images.ts';
import type { PlatformImageSource } from '../images/platform-images.ts';
import { DEBIAN_12, madeRecipe } from './recipes.ts';

const TOOLS = ['/usr/bin/apt-get', '/usr/bin/dpkg-deb'];

/** Builds the database images that this server supports. */
export class MadeImages {
  readonly #source: PlatformImageSource;
  #known: Promise<MadeImage[]> | null = null;
  /** Running image builds, by image reference. Concurrent callers share one build, because a build takes long. */
  readonly #making = new Map<string, Promise<string>>();

  constructor(source: PlatformImageSource) {
    this.#source = source;
  }

  /**
   * Returns the database images that can be built. The result is cached, because the server's Linux distribution does
   * not change while the daemon runs.
   */
  list(): Promise<MadeImage[]> {
    this.#known ??= look();
    return this.#known;
  }

  /**
   * Builds a database image, or finds the image if it already exists.
   * @returns image id
   */
  async make(engine: MadeEngine, version: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const found = (await this.list()).find((image) => image.engine === engine && image.version === version);
    if (found === undefined) {
      throw new EngineRefused(
        `This server cannot build an image of ${engine} ${version} from the packages of its Linux distribution. Choose a version that is available as an image in a registry.`,
      );
    }
    let making = this.#making.get(found.reference);
    if (making === undefined) {
      making = this.#source.ensure(madeRecipe(engine)).finally(() => this.#making.delete(found.reference));
      this.#making.set(found.reference, making);
    }
    return untilMade(making, signal, found.reference);
  }
}

/** Waits for a running image build. If the signal aborts, only the wait ends. The build continues for other callers. */
async function untilMade(making: Promise<string>, signal: AbortSignal, reference: string): Promise<string> {
  try {
    return await unlessAborted(making, signal);
  } catch (cause) {
    if (signal.aborted || cause instanceof EngineRefused) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new EngineProblem('image_not_made', `build image ${reference}`, words, { cause });
  }
}

async function look(): Promise<MadeImage[]> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const isDebian12 = /^ID="?debian"?$/m.test(release) && /^VERSION_ID="?12"?$/m.test(release);
  const tools = await Promise.all(
    TOOLS.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!isDebian12 || tools.includes(false)) return [];
  return (Object.keys(DEBIAN_12) as MadeEngine[]).map((engine) => {
    const { version } = DEBIAN_12[engine];
    return { engine, version, reference: madeReference(engine, version) };
  });
}
