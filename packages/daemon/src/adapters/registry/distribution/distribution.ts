/** The Davit instance's own registry, which is CNCF Distribution in a Docker container on the loopback address. */
import type { Readable } from 'node:stream';
import type { RegistryProblemCode } from '@davit/api';
import { EngineUnavailable } from '../../engine/errors.ts';
import { ImageProblem } from '../../engine/image-problem.ts';
import {
  type ClientTags,
  type Collected,
  type CollectionRequest,
  type ImageRegistry,
  REGISTRY_ADDRESS,
  type RegistryHead,
  type RegistryManifest,
  type RegistrySetup,
  type RegistryStatus,
  RegistryUnavailable,
  type RepositoryTag,
  type StoredImages,
} from '../registry.ts';
import { isStoredArtifact } from './artifacts.ts';
import { RegistryClient, type RegistryGrant } from './client.ts';
import { RegistryContainer, type RegistryContainerOptions, type RunningRegistry } from './container.ts';
import { type RegistryContents, registryContents } from './contents.ts';
import { readHeads } from './heads.ts';
import { linkImage } from './link.ts';
import { RegistryNotServing } from './start-reasons.ts';
import { RegistryStorage } from './storage.ts';
import { openStoredBlob, readStoredImages } from './stored-images.ts';

export interface DistributionOptions extends RegistryContainerOptions {
  /** Creates a bearer token for the daemon's own requests to the registry. */
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
  #problem: Problem | null = { code: 'registry_starting', message: 'The registry is starting.' };

  constructor(options: DistributionOptions) {
    this.#container = new RegistryContainer(options);
    const url = () => (this.#port === null ? null : `http://${REGISTRY_ADDRESS}:${this.#port}`);
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
      const { problem } = this.#running;
      this.#problem = problem === null ? null : { code: 'registry_not_replaced', message: problem };
      return await this.status();
    } catch (cause) {
      this.#running = null;
      this.#problem = whyDown(cause as Error);
      throw new RegistryUnavailable(this.#problem.message, { cause });
    }
  }

  async status(): Promise<RegistryStatus> {
    const { version = null, startedAt = null } = this.#running ?? {};
    const readOnly = this.#container.readOnly || this.#contents.isClosed;
    const running = this.#running !== null;
    const { code: problemCode = null, message: problem = null } = this.#problem ?? {};
    return { kind: 'distribution', running, version, startedAt, readOnly, problem, problemCode };
  }

  repositories(): Promise<string[]> {
    return this.#client.repositories();
  }

  tags(repository: string): Promise<string[]> {
    return this.#client.tags(repository);
  }

  tagsFor(repository: string, authorization: string | undefined): Promise<ClientTags> {
    return this.#client.tagsFor(repository, authorization);
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

  link(digest: string, from: string, to: string): Promise<boolean> {
    return linkImage(this.#client, { digest, from, to });
  }

  readImages(repository: string, digest: string, signal: AbortSignal): Promise<StoredImages> {
    return readStoredImages(this.#client, repository, { digest, signal });
  }

  openBlob(repository: string, digest: string, signal: AbortSignal): Promise<Readable> {
    return openStoredBlob(this.#client, repository, { digest, signal });
  }

  isArtifact(repository: string, digest: string): Promise<boolean> {
    return isStoredArtifact(this.#client, repository, digest);
  }

  removeManifest(repository: string, digest: string): Promise<void> {
    return this.#client.removeManifest(repository, digest);
  }

  untag(tag: RepositoryTag, digest: string): Promise<boolean> {
    return this.#contents.untag(tag, digest);
  }

  removeRepositories(repositories: readonly string[]): Promise<void> {
    return this.#contents.removeRepositories(repositories);
  }

  preview(request: CollectionRequest): Promise<Collected> {
    return this.#contents.preview(request);
  }

  collect(readRequest: () => CollectionRequest): Promise<Collected> {
    return this.#contents.collect(readRequest);
  }

  bytesOnDisk(): Promise<number> {
    return this.#contents.bytesOnDisk();
  }

  bytesOf(repositories: readonly string[]): Promise<number> {
    return this.#contents.bytesOf(repositories);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    /*
     * The registry container keeps running without the daemon. When the daemon starts again, it reads which images were
     * pushed in the meantime.
     */
  }
}

interface Problem {
  code: RegistryProblemCode;
  /** Error message for users that says why the registry does not run. */
  message: string;
}

function whyDown(cause: Error): Problem {
  if (cause instanceof EngineUnavailable) return { code: 'engine_unavailable', message: cause.message };
  const message = cause.message.replace(/[^.!?]$/, '$&.');
  if (cause instanceof RegistryNotServing) return { code: cause.code, message };
  // The message of an `ImageProblem` is already a complete sentence, so no prefix is added.
  const isWhole = cause instanceof ImageProblem;
  return { code: 'registry_not_started', message: isWhole ? message : `The registry cannot be started: ${message}` };
}
