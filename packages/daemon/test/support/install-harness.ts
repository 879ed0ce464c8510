/** Daemon with a real catalog. Tests write the Git repositories of the catalog. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BootOptions, bootDaemon, type TestDaemon } from '@davit/testkit';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import { makeExampleRepositories } from '../../../../scripts/example-catalog.ts';

/** Template files of releases, by tag. */
export type Releases = Readonly<Record<string, string>>;

const WEB = (tag: string, more: string) => `version: 1
name: Notes
project: notes
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
inputs:
  - {key: domain, type: domain, label: Domain}
  - {key: size, type: number, label: Size, min: 100, default: 1000000}
  - {key: mode, type: choice, label: Mode, options: [plain, fancy], default: plain}
  - {key: secret, type: secret, label: Secret, format: hex, bytes: 32}
apps:
  - key: web
    image: registry.test/acme/notes
    tag: "${tag}"
    port: 8080
    health: /health
    domains: [{host: "\${input.domain}"}]
    env:
      BASE_URL: https://\${input.domain}
      SIZE: \${input.size}
      SECRET: \${input.secret}
${more}`;

/** Template with two releases. The second release has another image, one removed app and one new app. */
export const NOTES: Releases = {
  'v1.0.0': WEB(
    '1.0',
    `      WORKER: \${app.worker.internal}
    limits: {cpu: 0.5, memory: 256Mi}
    volumes: [{path: /data}]
    depends_on: [worker]
  - {key: worker, image: registry.test/acme/notes-worker, tag: "1.0", port: 9000}
`,
  ),
  'v2.0.0': WEB(
    '2.0',
    `    limits: {cpu: 1, memory: 256Mi}
    volumes: [{path: /data}]
  - {key: cron, image: registry.test/acme/notes-cron, tag: "2.0", port: 9000}
`,
  ),
};

const ICON = join(import.meta.dirname, '../../../../examples/templates/davit-examples/umami-template/v1.0.0/icon.png');

export interface Answered {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the contract validates every response, and tests use only single fields
  body: any;
}

export class InstallHarness implements AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly catalog: TestCatalog;
  readonly #folder: string;

  private constructor(daemon: TestDaemon, catalog: TestCatalog, folder: string) {
    this.daemon = daemon;
    this.catalog = catalog;
    this.#folder = folder;
  }

  /**
   * Starts the environment.
   * @param templates releases by repository, `owner/name`
   */
  static async begin(
    templates: Readonly<Record<string, Releases>> = { 'acme/notes-template': NOTES },
    options: BootOptions = {},
  ): Promise<InstallHarness> {
    const folder = mkdtempSync(join(tmpdir(), 'davit-templates-'));
    const sources = join(folder, 'sources');
    mkdirSync(sources);
    for (const [index, [name, releases]] of Object.entries(templates).entries()) {
      writeSources(join(sources, name), index + 1, releases);
    }
    const source = join(folder, 'repositories');
    await makeExampleRepositories(source, sources);
    const catalog = await bootCatalog({ source });
    await catalog.passOnce();
    const daemon = await bootDaemon({ ...options, settings: { ...options.settings, catalogUrl: catalog.url } });
    return new InstallHarness(daemon, catalog, folder);
  }

  get(path: string): Promise<Answered> {
    return this.#ask('GET', path);
  }

  post(path: string, body: unknown): Promise<Answered> {
    return this.#ask('POST', path, body);
  }

  async #ask(method: string, path: string, body?: unknown): Promise<Answered> {
    const { status, headers, text } = await this.daemon.call(method, path, body);
    const isJson = headers.get('content-type')?.startsWith('application/json') === true;
    return { status, text, body: isJson ? JSON.parse(text) : null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon[Symbol.asyncDispose]();
    await this.catalog[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Writes the source of a repository: one folder for each release. Each release is published a minute after the previous
 * one.
 */
function writeSources(folder: string, id: number, releases: Releases): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'repository.json'), JSON.stringify({ id, topics: ['davit-template'] }));
  for (const [at, [tag, file]] of Object.entries(releases).entries()) {
    const release = join(folder, tag);
    mkdirSync(release);
    const published_at = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString().replace('.000Z', 'Z');
    writeFileSync(join(release, 'release.json'), JSON.stringify({ published_at }));
    writeFileSync(join(release, 'template.yaml'), file);
    writeFileSync(join(release, 'README.md'), `# ${tag}\n`);
    copyFileSync(ICON, join(release, 'icon.png'));
  }
}
