/** A whole instance with a real engine, apps to deploy, and access to the engine for checks. */

import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { finished } from 'node:stream/promises';
import type { App, Client, Deployment } from '@davit/api';
import Docker from 'dockerode';
import { type AppParams, type EngineTarget, type Instance, startInstance } from './instance.ts';
import { belongingsOf } from './instance-removal.ts';
import { platformImages, TAGS, tagImage } from './live-images.ts';

/** Number of concurrent test cases that have separate apps. While one case waits, others work. */
export const CASES_AT_ONCE = 3;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface LiveHarnessOptions {
  /** Flags of the daemon. */
  flags?: string[];
  /** Engine and network of the instance. Default: those of this machine. */
  place?: EngineTarget & { copyImages(references: string[]): Promise<void> };
}

export class LiveHarness implements AsyncDisposable {
  readonly instance: Instance;
  /** A repository of this environment at the engine, with the tags of {@link TAGS}. */
  readonly image: string;
  readonly #address: string;
  readonly #tags = new Set<string>(TAGS);
  /** Project for apps that need no separate project. */
  #shared: Promise<string> | undefined;

  static async create({ flags = [], place: target }: LiveHarnessOptions = {}): Promise<LiveHarness> {
    const docker = target?.docker ?? new Docker();
    const image = `davit-test/world-${randomBytes(4).toString('hex')}`;
    const builder = new Docker();
    const built = TAGS.map(async (tag) => [tag, await tagImage(builder, tag)] as const);
    const references = new Map(await Promise.all(built));
    await target?.copyImages([...references.values(), ...(await platformImages())]);
    await Promise.all(
      Array.from(references, ([tag, reference]) => docker.getImage(reference).tag({ repo: image, tag })),
    );
    const instance = await startInstance({ flags, ...(target && { place: target }) });
    return new LiveHarness(instance, image, target?.address ?? '127.0.0.1');
  }

  private constructor(instance: Instance, image: string, address: string) {
    this.instance = instance;
    this.image = image;
    this.#address = address;
  }

  get docker(): Docker {
    return this.instance.docker;
  }

  get client(): Client {
    return this.instance.client;
  }

  /** Adds a tag to an image of the repository, or moves the tag there. */
  async tag(tag: string, from: string): Promise<void> {
    this.#tags.add(tag);
    await this.docker.getImage(`${this.image}:${from}`).tag({ repo: this.image, tag });
  }

  async project(): Promise<string> {
    const slug = `p${randomBytes(4).toString('hex')}`;
    await this.client.createProject({ body: { slug } });
    return slug;
  }

  /**
   * Creates an app from the environment's repository: `web` in the named project, or an app in the shared project. The
   * shared project saves time, because the network of a project takes longer to create and remove than a container.
   */
  async app(settings: Record<string, unknown> = {}): Promise<LiveApp> {
    const own = settings.project === undefined ? await this.#placeInShared() : { project: String(settings.project) };
    const body = { name: 'web', source: 'image' as const, image: this.image, ...settings, ...own };
    const { project, environment, name } = await this.client.createApp({ body });
    return new LiveApp(this, { project, environment, app: name });
  }

  /** Returns the shared project and a new name for an app in it. */
  async #placeInShared(): Promise<{ project: string; name: string }> {
    this.#shared ??= this.project();
    return { project: await this.#shared, name: `web-${randomBytes(4).toString('hex')}` };
  }

  /** Creates an app and deploys the tag. */
  async deployedApp(settings: Record<string, unknown> = {}, tag: string = 'v1'): Promise<LiveApp> {
    const app = await this.app(settings);
    const { status, error, log } = await app.deploy(tag);
    if (status !== 'succeeded') throw new Error(`deploy ${tag}: ${status}: ${error}\n${log?.join('\n')}`);
    return app;
  }

  /** Sends one request through the proxy, on a separate connection. */
  get(host: string, path = '/'): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const to = { host: this.#address, port: this.instance.httpPort, path, agent: false as const, headers: { host } };
    const clientRequest = request(to, async (response) => {
      try {
        let text = '';
        response.setEncoding('utf8');
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      } catch (error) {
        reject(error);
      }
    });
    clientRequest.on('error', reject);
    clientRequest.end();
    return promise;
  }

  /**
   * Returns all objects at the engine with the id of this instance. The registry and the occasional firewall container
   * are omitted.
   */
  async objects(): Promise<string[]> {
    const { containers: all, networks, volumes, tags } = await belongingsOf(this.docker, this.instance.id ?? '');
    const containers = all.filter(({ kind }) => kind !== 'registry' && kind !== 'firewall');
    return [...containers.map(({ name, id }) => `${name} ${id}`), ...networks, ...volumes, ...tags].sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.instance[Symbol.asyncDispose]();
    const tags = [...this.#tags];
    await Promise.all(tags.map((tag) => this.docker.getImage(`${this.image}:${tag}`).remove({ noprune: true })));
  }
}

/** One app of the environment. */
export class LiveApp {
  readonly params: AppParams;
  /** Default host of the app. */
  readonly host: string;
  readonly #harness: LiveHarness;

  constructor(harness: LiveHarness, params: AppParams) {
    this.#harness = harness;
    this.params = params;
    this.host = harness.instance.hostOf(params);
  }

  get reference(): string {
    return `${this.params.project}/${this.params.environment}/${this.params.app}`;
  }

  /** Deploys and waits for the end of the deployment, successful or not. */
  async deploy(tag?: string): Promise<Deployment> {
    const { params } = this;
    const body = tag === undefined ? {} : { tag };
    return (await this.#harness.client.deployApp({ params, query: { wait: 'true' }, body })) as Deployment;
  }

  /** Requests a deployment and does not wait for its end. */
  async begin(tag: string): Promise<Deployment> {
    return (await this.#harness.client.deployApp({ params: this.params, body: { tag } })) as Deployment;
  }

  ended(deployment: number): Promise<Deployment> {
    const params = { ...this.params, deployment: String(deployment) };
    return this.#harness.client.getDeployment({ params, query: { wait: 'true' } }) as Promise<Deployment>;
  }

  record(deployment: number): Promise<Deployment> {
    const params = { ...this.params, deployment: String(deployment) };
    return this.#harness.client.getDeployment({ params }) as Promise<Deployment>;
  }

  read(): Promise<App> {
    return this.#harness.client.getApp({ params: this.params }) as Promise<App>;
  }

  get(path = '/'): Promise<Answer> {
    return this.#harness.get(this.host, path);
  }

  /** Returns the containers of the app in all states, newest first. */
  async containers(): Promise<Docker.ContainerInfo[]> {
    const label = [`davit.instance=${this.#harness.instance.id}`, `davit.app=${this.reference}`];
    return this.#harness.docker.listContainers({ all: true, filters: { label } });
  }

  /** Returns the only container of the app. */
  async container(): Promise<Docker.ContainerInfo> {
    const [first, ...others] = await this.containers();
    if (first === undefined || others.length > 0) throw new Error(`${this.reference} has ${others.length} others`);
    return first;
  }

  /** Runs a command in the container of the app and waits for its end. */
  async run(...command: string[]): Promise<Ran> {
    return this.runIn((await this.container()).Id, ...command);
  }

  /** Like {@link run}, for one of several containers. */
  runIn(id: string, ...command: string[]): Promise<Ran> {
    return runIn(this.#harness.docker, id, command);
  }
}

interface Ran {
  exitCode: number | null;
  output: string;
}

async function runIn(docker: Docker, id: string, command: string[]): Promise<Ran> {
  const exec = await docker.getContainer(id).exec({ Cmd: command, AttachStdout: true, AttachStderr: true, Tty: true });
  const stream = await exec.start({ Tty: true });
  let output = '';
  stream.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await finished(stream, { writable: false });
  return { exitCode: (await exec.inspect()).ExitCode, output };
}

/** Returns why no instance can use a real engine here, or null if it can. */
export function whyNoEngine(): string | null {
  return process.getuid?.() === 0 ? null : 'a whole instance on a real engine needs root';
}
