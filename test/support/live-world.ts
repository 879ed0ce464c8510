/** A whole instance on a real engine, with apps to deploy on it and the engine itself to look at what it did. */

import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { finished } from 'node:stream/promises';
import type { App, Client, Deployment } from '@davit/api';
import Docker from 'dockerode';
import { type AppParams, type Instance, type Place, startInstance } from './instance.ts';
import { belongingsOf } from './instance-removal.ts';
import { platformImages, TAGS, tagImage } from './live-images.ts';

/** How many cases go on beside each other where each has apps of its own: while one waits, others work. */
export const CASES_AT_ONCE = 3;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface WorldOptions {
  /** Of the daemon. */
  flags?: string[];
  /** Where it runs; absent: on this machine's engine and network. */
  place?: Place & { copyImages(references: string[]): Promise<void> };
}

export class LiveWorld implements AsyncDisposable {
  readonly instance: Instance;
  /** A repository of this world's own in the engine, with the tags of {@link TAGS}. */
  readonly image: string;
  readonly #address: string;
  readonly #tags = new Set<string>(TAGS);
  /** The project of the apps that need none of their own. */
  #shared: Promise<string> | undefined;

  static async create({ flags = [], place }: WorldOptions = {}): Promise<LiveWorld> {
    const docker = place?.docker ?? new Docker();
    const image = `davit-test/world-${randomBytes(4).toString('hex')}`;
    const references = new Map<string, string>();
    for (const tag of TAGS) references.set(tag, await tagImage(new Docker(), tag));
    await place?.copyImages([...references.values(), ...(await platformImages())]);
    await Promise.all(
      Array.from(references, ([tag, reference]) => docker.getImage(reference).tag({ repo: image, tag })),
    );
    const instance = await startInstance({ flags, ...(place && { place }) });
    return new LiveWorld(instance, image, place?.address ?? '127.0.0.1');
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

  /** Gives an image of the repository another tag, or moves a tag there. */
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
   * An app on the world's repository: `web` of the project that is named, or one in a project that it shares. A project's
   * network takes longer to make and to remove than a container.
   */
  async app(settings: Record<string, unknown> = {}): Promise<LiveApp> {
    const own = settings.project === undefined ? await this.#placeInShared() : { project: String(settings.project) };
    const body = { name: 'web', source: 'image' as const, image: this.image, ...settings, ...own };
    const { project, environment, name } = await this.client.createApp({ body });
    return new LiveApp(this, { project, environment, app: name });
  }

  /** The shared project and a name that no other app has there. */
  async #placeInShared(): Promise<{ project: string; name: string }> {
    this.#shared ??= this.project();
    return { project: await this.#shared, name: `web-${randomBytes(4).toString('hex')}` };
  }

  /** An app whose release of the tag is live. */
  async deployedApp(settings: Record<string, unknown> = {}, tag: string = 'v1'): Promise<LiveApp> {
    const app = await this.app(settings);
    const { status, error, log } = await app.deploy(tag);
    if (status !== 'succeeded') throw new Error(`deploy ${tag}: ${status}: ${error}\n${log?.join('\n')}`);
    return app;
  }

  /** One request through the proxy, on a connection of its own. */
  get(host: string, path = '/'): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const to = { host: this.#address, port: this.instance.httpPort, path, agent: false as const, headers: { host } };
    const asked = request(to, async (response) => {
      try {
        let text = '';
        response.setEncoding('utf8');
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      } catch (error) {
        reject(error);
      }
    });
    asked.on('error', reject);
    asked.end();
    return promise;
  }

  /** Everything on the engine that carries this instance's id, but what comes up on the side: the registry, and now and then what sets the firewall. */
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

/** One app of a world. */
export class LiveApp {
  readonly params: AppParams;
  /** Its default host. */
  readonly host: string;
  readonly #world: LiveWorld;

  constructor(world: LiveWorld, params: AppParams) {
    this.#world = world;
    this.params = params;
    this.host = world.instance.hostOf(params);
  }

  get reference(): string {
    return `${this.params.project}/${this.params.environment}/${this.params.app}`;
  }

  /** Deploys and waits for the end, good or bad. */
  async deploy(tag?: string): Promise<Deployment> {
    const { params } = this;
    const body = tag === undefined ? {} : { tag };
    return (await this.#world.client.deployApp({ params, query: { wait: 'true' }, body })) as Deployment;
  }

  /** Asks for a deploy and does not wait. */
  async begin(tag: string): Promise<Deployment> {
    return (await this.#world.client.deployApp({ params: this.params, body: { tag } })) as Deployment;
  }

  ended(deployment: number): Promise<Deployment> {
    const params = { ...this.params, deployment: String(deployment) };
    return this.#world.client.getDeployment({ params, query: { wait: 'true' } }) as Promise<Deployment>;
  }

  record(deployment: number): Promise<Deployment> {
    const params = { ...this.params, deployment: String(deployment) };
    return this.#world.client.getDeployment({ params }) as Promise<Deployment>;
  }

  read(): Promise<App> {
    return this.#world.client.getApp({ params: this.params }) as Promise<App>;
  }

  get(path = '/'): Promise<Answer> {
    return this.#world.get(this.host, path);
  }

  /** Its containers, whatever their state; the newest first. */
  async containers(): Promise<Docker.ContainerInfo[]> {
    const label = [`davit.instance=${this.#world.instance.id}`, `davit.app=${this.reference}`];
    return this.#world.docker.listContainers({ all: true, filters: { label } });
  }

  /** The only container that it has. */
  async container(): Promise<Docker.ContainerInfo> {
    const [first, ...others] = await this.containers();
    if (first === undefined || others.length > 0) throw new Error(`${this.reference} has ${others.length} others`);
    return first;
  }

  /** Runs a command in its container to the end. */
  async run(...command: string[]): Promise<Ran> {
    return this.runIn((await this.container()).Id, ...command);
  }

  /** The same in one container of several. */
  runIn(id: string, ...command: string[]): Promise<Ran> {
    return runIn(this.#world.docker, id, command);
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

/** Why no instance can be tried on a real engine here; null when one can. */
export function whyNoEngine(): string | null {
  return process.getuid?.() === 0 ? null : 'a whole instance on a real engine needs root';
}
