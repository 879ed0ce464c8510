/**
 * A real instance with a signed-in reader for the shell blocks of one page, and the resources that the pages expect to
 * exist.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client, Deployment } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { DocShell } from './doc-shell.ts';
import { customImage } from './docker-images.ts';
import { ACCOUNT, type AppParams, type Instance, startInstance } from './instance.ts';
import { imagesOfPushes } from './instance-removal.ts';
import { done } from './live-database.ts';
import { startS3Server } from './s3-server.ts';
import { testAppImage } from './test-app-image.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** Serves `/` and `/healthz` at `PORT`, and has the programs that the pages run in an app. */
const WEB = [
  'EXPOSE 8080',
  'RUN for name in rails backup migrate; do printf "#!/bin/sh\\necho done\\n" > /bin/$name; done',
  'RUN printf \'#!/bin/sh\\nexec sh "$@"\\n\' > /bin/bash && chmod 755 /bin/rails /bin/backup /bin/migrate /bin/bash',
  'RUN echo ok > /www/healthz',
  `CMD ${JSON.stringify(['sh', '-c', 'echo serving, timeout 5 s; exec httpd -f -p "$PORT" -h /www'])}`,
];

let built: Promise<string> | undefined;

/** Builds the image once, because concurrent builds would leave an image without a name. */
function webImage(): Promise<string> {
  built ??= customImage(new Docker(), 'docs-web', WEB);
  return built;
}

export class DocHarness implements AsyncDisposable {
  readonly instance: Instance;
  /** Permanent id of the instance. A page can remove the file that contains it. */
  readonly id: string;
  readonly shell: DocShell;
  /** Reference of the image of apps. */
  readonly web: string;
  readonly #texts = new Map<string, string>();
  readonly #cleanup: AsyncDisposableStack;

  private constructor(instance: Instance, shell: DocShell, web: string, cleanup: AsyncDisposableStack) {
    this.instance = instance;
    this.id = instance.id ?? '';
    this.shell = shell;
    this.web = web;
    this.#cleanup = cleanup;
    for (const address of ['http://127.0.0.1:3000', 'https://davit.example.com']) this.replace(address, instance.url);
    this.replace('localhost:5000', `localhost:${instance.registryPort}`);
  }

  static async create(): Promise<DocHarness> {
    await using cleanup = new AsyncDisposableStack();
    const web = await webImage();
    let pushed: string[] = [];
    cleanup.defer(() => removeImages(pushed));
    const instance = cleanup.use(await startInstance({ flags: ['--domain', 'localhost'] }));
    cleanup.defer(async () => {
      pushed = await imagesOfPushes(instance.docker, instance.registryPort);
    });
    const shell = cleanup.use(await DocShell.make({ DAVIT_DATA_DIR: instance.dataDir }));
    return new DocHarness(instance, shell, web, cleanup.move());
  }

  get client(): Client {
    return this.instance.client;
  }

  get docker(): Docker {
    return this.instance.docker;
  }

  /** Replaces an example in the blocks. A number is replaced only where it is a whole argument. */
  replace(example: string | number, text: string | number): void {
    this.#texts.set(String(example), String(text));
  }

  /** Returns a block with all replacements. */
  replaced(block: string): string {
    const examples = [...this.#texts].sort(([a], [b]) => b.length - a.length);
    const escaped = examples.map(([example]) =>
      /^\d+$/.test(example) ? `(?<=\\s)${example}(?!\\S)` : escape(example),
    );
    return block.replace(new RegExp(escaped.join('|'), 'g'), (example) => this.#texts.get(example) ?? example);
  }

  /** Disposes a resource together with this place. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.#cleanup.use(resource);
  }

  /** Signs the reader in with an API key. */
  async signIn(name = ''): Promise<void> {
    const option = name === '' ? '' : `--name ${name}`;
    await this.shell.run(`printf '%s\\n' '${this.instance.key}' | davit login ${this.instance.url} ${option}`);
  }

  /** Gives the reader's web image the name of an image that an example names, unless the machine has that image. */
  async image(repo: string, ...tags: string[]): Promise<void> {
    for (const tag of tags) await this.#name(this.web, repo, tag);
  }

  /** Creates a stand-in for an official image with Node. */
  async nodeImage(repo: string, tag: string): Promise<void> {
    const base = await testAppImage(this.docker);
    const folder = join(this.shell.home, '.node-image');
    await mkdir(folder);
    await writeFile(join(folder, 'passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n');
    const lines = [`FROM ${base}:base`, 'COPY passwd /etc/passwd', 'ENTRYPOINT []', 'ENV PATH=/bin', ''];
    await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
    const made = `davit-test/docs-node:${this.id}`;
    await run('docker', ['build', '-q', '-t', made, folder]);
    this.#cleanup.defer(() => this.#untag(made));
    await this.#name(made, repo, tag);
  }

  async #name(from: string, repo: string, tag: string): Promise<void> {
    const name = `${repo}:${tag}`;
    const images = await this.docker.listImages();
    if (images.some(({ RepoTags }) => RepoTags?.includes(name))) return;
    await this.docker.getImage(from).tag({ repo, tag });
    this.#cleanup.defer(() => this.#untag(name));
  }

  /** Removes a name of an image. The engine can fail while it removes another image. */
  async #untag(name: string): Promise<void> {
    await until(`${name} is removed`, async () => {
      const images = await this.docker.listImages();
      if (!images.some(({ RepoTags }) => RepoTags?.includes(name))) return true;
      await this.docker.getImage(name).remove().catch(ignoreBusy);
      return null;
    });
  }

  /** Creates an app and deploys its first tag. The other tags can be deployed later. */
  async app(reference: string, ...tags: string[]): Promise<void> {
    const params = paramsOf(reference);
    const repo = `davit-docs/${this.id}-${params.environment}-${params.app}`;
    const [first = 'v1', ...others] = tags;
    await this.image(repo, first, ...others);
    await this.environment(params);
    await this.instance.createApp(params, { image: repo, stop: { drain_s: 0, grace_s: 1 } });
    await this.deploy(reference, first);
  }

  async deploy(reference: string, tag: string): Promise<Deployment> {
    const deployment = await this.instance.deploy(paramsOf(reference), tag);
    if (deployment.status !== 'succeeded') throw new Error(`deploy ${reference}: ${deployment.error}`);
    return deployment;
  }

  async environment({ project, environment }: Pick<AppParams, 'project' | 'environment'>): Promise<void> {
    const projects = await this.client.listProjects();
    if (!projects.some(({ slug }) => slug === project)) await this.client.createProject({ body: { slug: project } });
    const environments = await this.client.listEnvironments({ params: { project } });
    if (environments.some(({ slug }) => slug === environment)) return;
    await this.client.createEnvironment({ params: { project }, body: { slug: environment } });
  }

  async database(reference: string, engine: 'postgres' | 'redis' = 'postgres'): Promise<void> {
    const { project, environment, app: name } = paramsOf(reference);
    await this.environment({ project, environment });
    const body = { project, environment, name, engine };
    await done(this.client.createDatabase({ body, query: { wait: 'true' } }));
  }

  /** Starts an object store and replaces `https://s3.example.com` in the examples by its URL. */
  async objectStore(): Promise<{ link(name: string, bucket: string): Promise<void>; secretKey: string }> {
    const s3 = this.use(await startS3Server());
    const connection = { endpoint: s3.url, region: s3.region, path_style: true };
    const keys = { access_key: s3.accessKey, secret_key: s3.secretKey };
    this.replace('https://s3.example.com', s3.url);
    this.replace('eu-central-1', s3.region);
    for (const example of ['AKIAEXAMPLE2', 'AKIAEXAMPLE']) this.replace(example, s3.accessKey);
    const link = async (name: string, bucket: string) => {
      await this.client.linkObjectStore({ body: { name, provider: 'generic', ...connection, ...keys } });
      await this.client.createBucket({ params: { object_store: name }, body: { name: bucket } });
    };
    return { link, secretKey: s3.secretKey };
  }

  /** Makes the working folder a clone of Davit that has what `npm pack` needs. */
  async enterClone(): Promise<void> {
    const clone = join(this.shell.home, 'clone');
    await mkdir(join(clone, 'packages'), { recursive: true });
    const copied = ['package.json', 'scripts', 'LICENSE', 'README.md', 'packages/cli'];
    for (const path of copied) await cp(join(ROOT, path), join(clone, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    for (const name of await readdir(join(ROOT, 'packages'))) {
      if (name !== 'cli') await symlink(join(ROOT, 'packages', name), join(clone, 'packages', name));
    }
    await this.shell.enter(clone);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

export { ACCOUNT };

export function paramsOf(reference: string): AppParams {
  const [project = '', environment = '', app = ''] = reference.split('/');
  return { project, environment, app };
}

/** Removes images that may be gone already. */
async function removeImages(names: readonly string[]): Promise<void> {
  for (const name of names) await new Docker().getImage(name).remove({ force: true }).catch(ignoreMissing);
}

function ignoreMissing(error: { statusCode?: number }): void {
  if (error.statusCode !== 404) throw error;
}

function ignoreBusy(error: { statusCode?: number }): void {
  if (error.statusCode !== 500) ignoreMissing(error);
}

function escape(text: string): string {
  return RegExp.escape(text);
}
