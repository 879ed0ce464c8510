import { access, readFile } from 'node:fs/promises';
import { EngineRefused } from '../../errors.ts';
import { type MadeEngine, type MadeImage, madeReference } from '../../made-images.ts';
import type { DockerClient } from '../client.ts';
import { ensureDebianImage } from '../debian-image.ts';
import { DEBIAN_12, recipeOf } from './recipes.ts';

/** What makes them. */
const TOOLS = ['/usr/bin/apt-get', '/usr/bin/dpkg-deb'];

/** The images of databases that this machine can make. */
export class MadeImages {
  readonly #client: DockerClient;
  #known: Promise<MadeImage[]> | null = null;
  /** Making one takes long: who asks meanwhile gets the same. */
  readonly #making = new Map<string, Promise<string>>();

  constructor(client: DockerClient) {
    this.#client = client;
  }

  /** A machine does not become another one while it runs. */
  list(): Promise<MadeImage[]> {
    this.#known ??= look();
    return this.#known;
  }

  /** @returns the image's reference */
  async make(engine: MadeEngine, version: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const found = (await this.list()).find((image) => image.engine === engine && image.version === version);
    if (found === undefined) {
      throw new EngineRefused(
        `make image: this machine cannot make ${engine} ${version} from its distribution's packages: choose a version whose image a registry has.`,
      );
    }
    let making = this.#making.get(found.reference);
    if (making === undefined) {
      making = ensureDebianImage(this.#client, recipeOf(engine)).finally(() => this.#making.delete(found.reference));
      this.#making.set(found.reference, making);
    }
    return untilAborted(making, signal, found.reference);
  }
}

/** What is being made goes on being made: the next who asks for it finds it. */
async function untilAborted(making: Promise<string>, signal: AbortSignal, reference: string): Promise<string> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([making, aborted.promise]);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw cause instanceof EngineRefused ? cause : new EngineRefused(`make image ${reference}: ${words}`, { cause });
  } finally {
    signal.removeEventListener('abort', onAbort);
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
