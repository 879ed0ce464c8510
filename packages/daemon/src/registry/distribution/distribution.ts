/** The instance's own registry on CNCF Distribution, in a container on the loopback address. */
import { EngineUnavailable } from '../../engine/errors.ts';
import {
  type Collected,
  type CollectionAsk,
  type ImageRegistry,
  type RegistryHead,
  type RegistryManifest,
  type RegistrySetup,
  type RegistryStatus,
  RegistryUnavailable,
  type RepositoryTag,
} from '../registry.ts';
import { RegistryClient, type RegistryGrant } from './client.ts';
import { RegistryContainer, type RegistryContainerOptions, type RunningRegistry } from './container.ts';
import { type RegistryContents, registryContents } from './contents.ts';
import { readHeads } from './heads.ts';
import { RegistryStorage } from './storage.ts';

export interface DistributionOptions extends RegistryContainerOptions {
  /** Makes a token with which the daemon itself asks the registry. */
  token: (grant: RegistryGrant) => string;
}

export function createDistribution(options: DistributionOptions): ImageRegistry {
  return new Distribution(options);
}

class Distribution implements ImageRegistry {
  readonly #container: RegistryContainer;
  readonly #client: RegistryClient;
  readonly #contents: RegistryContents;
  #port: number | null = null;
  #running: RunningRegistry | null = null;
  #problem: string | null = 'The registry is being started.';

  constructor(options: DistributionOptions) {
    this.#container = new RegistryContainer(options);
    const url = () => (this.#port === null ? null : `http://127.0.0.1:${this.#port}`);
    this.#client = new RegistryClient({ url, token: options.token });
    this.#contents = registryContents({
      storage: new RegistryStorage(this.#container.folders.storage),
      replace: (to) => this.#container.replace(to),
      log: options.log,
    });
  }

  async ensure(setup: RegistrySetup): Promise<RegistryStatus> {
    this.#port = setup.port;
    try {
      this.#running = await this.#container.ensure(setup);
      this.#problem = this.#running.problem;
      return await this.status();
    } catch (cause) {
      this.#running = null;
      this.#problem = cause instanceof EngineUnavailable ? cause.message : whyDown(cause as Error);
      throw new RegistryUnavailable(this.#problem, { cause });
    }
  }

  async status(): Promise<RegistryStatus> {
    const { version = null, startedAt = null } = this.#running ?? {};
    const readOnly = this.#container.readOnly || this.#contents.isClosed;
    const running = this.#running !== null;
    return { kind: 'distribution', running, version, startedAt, readOnly, problem: this.#problem };
  }

  repositories(): Promise<string[]> {
    return this.#client.repositories();
  }

  tags(repository: string): Promise<string[]> {
    return this.#client.tags(repository);
  }

  heads(repository: string, since = 0): Promise<RegistryHead[]> {
    return readHeads(this.#container.folders.storage, repository, since);
  }

  manifest(repository: string, reference: string): Promise<RegistryManifest | null> {
    return this.#client.manifest(repository, reference);
  }

  digestOf(repository: string, reference: string): Promise<string | null> {
    return this.#client.digestOf(repository, reference);
  }

  removeManifest(repository: string, digest: string): Promise<void> {
    return this.#client.removeManifest(repository, digest);
  }

  untag(tags: readonly RepositoryTag[]): Promise<void> {
    return this.#contents.untag(tags);
  }

  removeRepositories(repositories: readonly string[]): Promise<void> {
    return this.#contents.removeRepositories(repositories);
  }

  preview(ask: CollectionAsk): Promise<Collected> {
    return this.#contents.preview(ask);
  }

  collect(ask: () => CollectionAsk): Promise<Collected> {
    return this.#contents.collect(ask);
  }

  bytesOnDisk(): Promise<number> {
    return this.#contents.bytesOnDisk();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It serves on: what is pushed while the daemon is away is found by the next one.
  }
}

/** In a sentence that names what it is about. */
function whyDown({ message }: Error): string {
  const ended = message.replace(/[^.!?]$/, '$&.');
  return ended.startsWith('The registry') ? ended : `The registry cannot be started: ${ended}`;
}
