import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogPage } from '@davit/api/catalog.ts';
import { type Catalog, createCatalog } from '@davit/catalog/catalog.ts';
import { makeConfig } from '@davit/catalog/config/config.ts';
import { databaseFile } from '@davit/catalog/files.ts';
import { createIconEncoder } from '@davit/catalog/icons/icon-encoder.ts';
import { createIndexer, type PassOutcome } from '@davit/catalog/indexer/indexer.ts';
import { DirectorySource } from '@davit/catalog/source/directory/directory-source.ts';
import type { SourceRelease } from '@davit/catalog/source/source.ts';
import { openRecords } from '@davit/catalog/store/records.ts';
import type { CrawlRecords } from '@davit/catalog/store/types.ts';
import { createLogger, type Logger } from '@davit/service';
import { checkCatalogAnswer } from './catalog-contract.ts';
import { type GivenTemplate, noteTemplate } from './catalog-factories.ts';
import type { Answer } from './contract.ts';
import { type Sending, send } from './http.ts';

export { checkCatalogAnswer } from './catalog-contract.ts';
export { type GivenRelease, type GivenTemplate, sampleManifest } from './catalog-factories.ts';
export type { Answer, Sending };

export interface CatalogBootOptions {
  /**
   * Folder with bare Git repositories. An indexing run reads the templates in these repositories. Default: an empty
   * folder.
   */
  source?: string;
  /** Map from the name of a catalog setting to its value, such as `{ verifiedOwners: 'acme' }`. */
  settings?: Record<string, string>;
  /** Whether the indexer runs in its own process, as in production. Default: `false`. */
  indexes?: boolean;
  /** Whether the catalog publishes an empty template index when it starts. Default: `true`. */
  published?: boolean;
}

/** Starts a template catalog in the test process. The catalog has temporary data, a free port and no templates. */
export async function bootCatalog(options: CatalogBootOptions = {}): Promise<TestCatalog> {
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-catalog-'));
  const booted = new TestCatalog(dataDir, options);
  try {
    await booted.start();
    if (options.published !== false && !options.indexes) booted.publish();
    return booted;
  } catch (error) {
    await booted[Symbol.asyncDispose]();
    throw error;
  }
}

/** Template catalog under test. When the object is disposed, the catalog stops and its data is removed. */
export class TestCatalog implements AsyncDisposable {
  readonly dataDir: string;
  readonly lines: string[] = [];
  readonly #options: CatalogBootOptions;
  readonly #log: Logger;
  /** Reuse HTTP connections, because catalog tests send many requests. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #catalog: Catalog | null = null;
  #records: CrawlRecords | null = null;

  constructor(dataDir: string, options: CatalogBootOptions) {
    this.dataDir = dataDir;
    this.#options = options;
    this.#log = createLogger({ level: 'debug', destination: { write: (line: string) => void this.lines.push(line) } });
  }

  get catalog(): Catalog {
    if (this.#catalog === null) throw new Error('the catalog is stopped');
    return this.#catalog;
  }

  get url(): string {
    return this.catalog.url;
  }

  /**
   * Returns the object that writes templates to the catalog database, as the indexer does. The first use opens the
   * database.
   */
  get records(): CrawlRecords {
    this.#records ??= openRecords(databaseFile(this.dataDir));
    return this.#records;
  }

  /**
   * Sends an HTTP request with exactly this path, so that tests can use invalid paths. The response is checked against
   * the API contract of the catalog.
   */
  async send(sending: Sending): Promise<Answer> {
    const answer = await send({ url: this.url }, sending, this.#agent);
    checkCatalogAnswer(answer);
    return answer;
  }

  /** Sends a GET request for a path and query below `/api/v1`. */
  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send({ path: `/api/v1${path}`, headers });
  }

  /**
   * Requests a path below `/api/v1` and returns the JSON body of the response.
   * @throws Error if the status is not 200
   */
  async read<T>(path: string): Promise<T> {
    const { status, text } = await this.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Returns the templates that the catalog lists for a query, each as `owner/name`. */
  async list(query = ''): Promise<string[]> {
    const { templates } = await this.read<CatalogPage>(`/templates${query}`);
    return templates.map(({ owner, name }) => `${owner}/${name}`);
  }

  /**
   * Adds templates to the catalog and publishes the template index.
   * @returns the id and the releases of each template
   */
  add(...given: GivenTemplate[]): { id: number; releases: SourceRelease[] }[] {
    const noted = given.map((one) => noteTemplate(this.records, one));
    this.publish();
    return noted;
  }

  /**
   * Publishes the templates in the catalog database, as the indexer does at the end of an indexing run.
   * @returns number that identifies the published template index
   */
  publish(): number {
    const at = '2026-01-02T03:04:05Z';
    const counts = { repositories: 0, accepted: 0, rejected: 0, hidden: 0, failed: 0 };
    return this.records.publish({ startedAt: at, finishedAt: at, ...counts, error: null });
  }

  /** Performs one indexing run over the configured folder of Git repositories. */
  async passOnce(): Promise<PassOutcome> {
    const { source, topics, intervalS } = this.catalog.config;
    if (source.kind !== 'dir') throw new Error('only a folder is read here');
    const log = this.#log;
    using directory = new DirectorySource({ path: source.path, log });
    using icons = createIconEncoder();
    const indexer = createIndexer({
      config: { topics, intervalS },
      source: directory,
      records: this.records,
      icons,
      log,
    });
    return await indexer.passOnce(new AbortController().signal);
  }

  async start(): Promise<void> {
    const { source, settings, indexes = false } = this.#options;
    const folder = source ?? join(this.dataDir, 'none');
    const config = makeConfig(
      {
        listen: '127.0.0.1:0',
        source: `dir:${folder}`,
        indexes: indexes ? '1' : '0',
        ...settings,
        dataDir: this.dataDir,
      },
      { isRoot: false, xdgDataHome: undefined },
    );
    this.#catalog = await createCatalog(config, { log: this.#log });
  }

  /** Closes the connection to the catalog database. The next use of `records` opens the connection again. */
  closeRecords(): void {
    this.#records?.[Symbol.dispose]();
    this.#records = null;
  }

  async stop(): Promise<void> {
    const catalog = this.#catalog;
    this.#catalog = null;
    this.closeRecords();
    await catalog?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
