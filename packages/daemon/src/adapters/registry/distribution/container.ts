/**
 * Manages the registry container, which listens on a loopback address. While a new container replaces the old
 * container, clients must repeat failed requests. Pushed data is kept.
 */
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { responseTo } from '@davit/service';
import type { DockerClient } from '../../engine/docker/client/client.ts';
import type { Log } from '../../engine/docker/context.ts';
import type { DockerPlatformImages } from '../../engine/docker/images/platform-images.ts';
import { EngineUnavailable } from '../../engine/errors.ts';
import { registryName } from '../../engine/names.ts';
import { PlatformImageRefused } from '../../engine/platform-images.ts';
import { REGISTRY_ADDRESS, type RegistrySetup } from '../registry.ts';
import { type ConfigFiles, renderConfig } from './config.ts';
import { ContainerApi, type FoundContainer } from './container-api.ts';
import { type ContainerSettings, onceRequest, recipeOf, servingRequest } from './create-request.ts';
import { foldersIn, type RegistryFolders, writeFolders } from './folders.ts';
import { ensureRegistryImage, REGISTRY_IMAGE, versionOf } from './image.ts';
import { explainStart, RegistryNotServing } from './start-reasons.ts';

export interface RegistryContainerOptions {
  davitId: string;
  docker: DockerClient;
  dataDir: string;
  /** Docker image of the registry. `null` means the image that Davit builds from the Debian package. */
  image: string | null;
  /**
   * Image builder that also installs newer registry images. By default, all Davit instances on the server share an
   * image builder.
   */
  images?: DockerPlatformImages;
  log: Log;
}

/**
 * Desired state of the registry container. The state consists of the setup and of whether the registry rejects pushes.
 */
interface Wanted {
  setup: RegistrySetup;
  readOnly: boolean;
}

export interface RunningRegistry {
  version: string;
  /** Start time of the registry process, in milliseconds since the epoch. */
  startedAt: number;
  /**
   * Error message if the registry container could not be replaced and an outdated container still runs. Otherwise
   * `null`.
   */
  problem: string | null;
}

/** Maximum time in milliseconds until a started registry container must respond. */
const READY_MS = 15_000;
const RESTART_MS = 3_000;
const PROBE_MS = 2_000;
const VERSION_MS = 30_000;

export class RegistryContainer {
  readonly #options: RegistryContainerOptions;
  readonly #api: ContainerApi;
  readonly #name: string;
  readonly folders: RegistryFolders;
  #setup: RegistrySetup | null = null;
  #readOnly = false;
  /**
   * Promise of the last queued change of the registry container. Changes run one after another, because concurrent
   * changes would remove each other's containers.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RegistryContainerOptions) {
    this.#options = options;
    this.#api = new ContainerApi(options.docker);
    this.#name = registryName(options.davitId);
    this.folders = foldersIn(options.dataDir);
    if (options.image === null) options.images?.register({ recipe: REGISTRY_IMAGE, rollOut: () => this.#rollOut() });
  }

  /** `true` if the registry container must reject pushes at the moment. */
  get readOnly(): boolean {
    return this.#readOnly;
  }

  /**
   * Ensures that a registry container with this setup and the current read-only mode runs. An outdated container is
   * replaced.
   * @throws Error with a message for users
   */
  ensure(setup: RegistrySetup): Promise<RunningRegistry> {
    return this.#serially(() => {
      this.#setup = setup;
      return this.#ensure({ setup, readOnly: this.#readOnly });
    });
  }

  /**
   * Replaces the registry container with a container that accepts or rejects pushes. The old container first finishes
   * its open requests. After a restart of the daemon, the registry accepts pushes again.
   * @throws Error with a message for users
   */
  replace({ readOnly }: { readOnly: boolean }): Promise<RunningRegistry> {
    return this.#serially(async () => {
      const setup = this.#setup;
      if (setup === null)
        throw new RegistryNotServing('registry_starting', 'The registry has not started yet. Try again in a moment.');
      // Saves the read-only mode first. If this attempt fails, the next `ensure` call applies the saved mode.
      this.#readOnly = readOnly;
      const running = await this.#ensure({ setup, readOnly });
      if (running.problem !== null) throw new Error(running.problem);
      return running;
    });
  }

  /**
   * Runs a command of the registry program, such as `garbage-collect`, in a container without a network. The command
   * works on the registry's files.
   * @returns exit code and the last 1,000 lines of output
   */
  async run(command: string[], signal: AbortSignal): Promise<{ exitCode: number; output: string }> {
    return this.#once(await this.#settings(), command, signal);
  }

  /** Replaces the registry container with a container that uses the new image. */
  async #rollOut(): Promise<void> {
    const setup = this.#setup;
    if (setup === null) return;
    const problem = await this.ensure(setup).then(
      (running) => running.problem,
      (error: unknown) => {
        if (error instanceof EngineUnavailable) throw error;
        return String(error);
      },
    );
    if (problem !== null) throw new PlatformImageRefused(problem);
  }

  async #ensure({ setup, readOnly }: Wanted): Promise<RunningRegistry> {
    const found = await this.#api.inspect(this.#name);
    const files = renderConfig(setup, readOnly);
    try {
      const settings = await this.#settings();
      await writeFolders(this.folders, files);
      // The state `dead` means that Docker failed to remove the container. Docker cannot start such a container again.
      if (found?.recipe !== recipeOf(settings, files) || found.state === 'dead')
        return await this.#follow(found, settings, files, setup.port);
      if (found.state === 'restarting') await this.#api.restart(found.id);
      else if (found.state === 'paused') await this.#api.unpause(found.id);
      else if (found.state !== 'running') await this.#api.start(found.id);
      const { startedAt } = await this.#answering(found.id, setup.port);
      return { version: found.version, startedAt, problem: null };
    } catch (error) {
      // If the new registry container could not be created, the old container may still handle requests.
      if (found === null || !(await this.#serves(found, setup.port))) throw error;
      const problem = `The container of the registry could not be replaced, so the old container continues to run: ${(error as Error).message}`;
      return { version: found.version, startedAt: found.startedAt, problem };
    }
  }

  async #follow(
    before: FoundContainer | null,
    settings: ContainerSettings,
    files: ConfigFiles,
    port: number,
  ): Promise<RunningRegistry> {
    const version = await this.#versionOf(settings, before);
    const next = `${this.#name}-next`;
    await this.#api.remove(next);
    const id = await this.#api.create(next, servingRequest(settings, files, version));
    /*
     * The old container uses the port, so it must stop before the new container starts. All slow steps run before, to
     * keep the downtime short.
     */
    if (before !== null) {
      await this.#api.stop(before.id);
      await this.#api.remove(before.id);
    }
    await this.#api.rename(id, this.#name);
    await this.#api.start(id);
    const { startedAt } = await this.#answering(id, port);
    this.#options.log.info({ container: this.#name, version, readOnly: this.#readOnly }, 'the registry has started');
    return { version, startedAt, problem: null };
  }

  /**
   * Returns the version of the registry program. The program runs once per image, which also proves that the image
   * contains the right program.
   */
  async #versionOf(settings: ContainerSettings, before: FoundContainer | null): Promise<string> {
    if (before !== null && before.imageId === settings.imageId && before.version !== '') return before.version;
    const { output } = await this.#once(settings, ['--version'], AbortSignal.timeout(VERSION_MS));
    return versionOf(output);
  }

  async #once(settings: ContainerSettings, command: string[], signal: AbortSignal) {
    const name = `${this.#name}-once`;
    await this.#api.remove(name);
    const id = await this.#api.create(name, onceRequest(settings, command));
    try {
      await this.#api.start(id);
      const exitCode = await this.#api.ended(id, signal);
      return { exitCode, output: await this.#api.logs(id, 1_000) };
    } finally {
      await this.#api.remove(id);
    }
  }

  async #settings(): Promise<ContainerSettings> {
    const { davitId, docker, image, images } = this.#options;
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    return { davitId, imageId: await ensureRegistryImage(docker, image, images), folders: this.folders, owner };
  }

  /**
   * Waits until the registry container responds.
   * @throws Error with the reason why the registry does not respond
   */
  async #answering(id: string, port: number): Promise<FoundContainer> {
    const began = performance.now();
    for (;;) {
      const container = await this.#api.inspect(id);
      if (container?.state === 'running' && (await answers(port))) return container;
      const isGone = container === null || container.state === 'exited';
      /*
       * Docker restarts a killed container immediately. If a container stays in the state `restarting`, its program
       * cannot start.
       */
      const isFailing = container?.state === 'restarting' && performance.now() >= began + RESTART_MS;
      if (isGone || isFailing || performance.now() >= began + READY_MS) {
        throw explainStart(container === null ? '' : await this.#api.logs(id, 20), port);
      }
      await delay(20);
    }
  }

  async #serves({ id }: FoundContainer, port: number): Promise<boolean> {
    return (await this.#api.inspect(id))?.state === 'running' && (await answers(port));
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/**
 * Returns whether a registry responds on a port of the registry's address. A registry must require a token, so it
 * responds with status 401.
 */
async function answers(port: number): Promise<boolean> {
  const clientRequest = request({ host: REGISTRY_ADDRESS, port, path: '/v2/', timeout: PROBE_MS, agent: false });
  clientRequest.on('timeout', () => clientRequest.destroy());
  try {
    const answered = responseTo(clientRequest);
    clientRequest.end();
    const response = await answered;
    response.resume();
    return response.statusCode === 401 && response.headers['docker-distribution-api-version'] !== undefined;
  } catch {
    return false;
  }
}
