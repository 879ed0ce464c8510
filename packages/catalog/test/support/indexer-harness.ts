import { join } from 'node:path';
import { createLogger } from '@davit/service';
import { createIconEncoder } from '../../src/icons/icon-encoder.ts';
import { createIndexer, type IndexerOptions, type PassOutcome } from '../../src/indexer/indexer.ts';
import { DirectorySource } from '../../src/source/directory/directory-source.ts';
import {
  type KnownRepository,
  type SourcePath,
  type SourceRepository,
  SourceUnavailable,
  type TemplateSource,
} from '../../src/source/source.ts';
import { openReader } from '../../src/store/reader.ts';
import { openRecords } from '../../src/store/records.ts';
import { GitFolder, type MadeRelease } from './git-folder.ts';
import { makePng } from './png.ts';

export const TOPIC = 'davit-template';
const FIRST_RELEASE_AT = Date.parse('2026-03-04T05:06:07Z') / 1000;

/** Returns a valid template. */
export function templateOf(project = 'demo', tag = '1.0'): string {
  return `version: 1\nproject: ${project}\napps:\n  - key: web\n    image: ghcr.io/acme/web\n    tag: "${tag}"\n    port: 80\n`;
}

/** Returns a valid release. `files` replaces files; a file with the value `null` is removed. */
export function releaseOf(
  tag: string,
  files: Record<string, string | Uint8Array | null> = {},
  minutes = 0,
): MadeRelease {
  const whole = { 'template.yaml': templateOf(), 'README.md': '# Demo\n', 'icon.png': ICON, ...files };
  const kept = Object.entries(whole).flatMap(([path, content]) => (content === null ? [] : [[path, content] as const]));
  return { tag, files: Object.fromEntries(kept), at: FIRST_RELEASE_AT + minutes * 60 };
}

const ICON = makePng({ side: 128 });

/** Source that forwards to the real source. Records all file reads and can fail on request. */
export class WatchedSource implements TemplateSource {
  listsByTopic = false;
  /** Requested files, each as `owner/name path`. */
  readonly reads: string[] = [];
  /** Functions that decide whether reading a file or listing a repository fails. */
  failsToRead: (what: string) => boolean = () => false;
  failsToList: (repository: SourceRepository) => boolean = () => false;
  /** Called before each file is read. The read waits for the promise. */
  beforeRead: () => Promise<void> = async () => undefined;
  readonly #behind: DirectorySource;

  constructor(behind: DirectorySource) {
    this.#behind = behind;
  }

  async *repositories(signal: AbortSignal) {
    for await (const batch of this.#behind.repositories(signal)) {
      if (batch.some(this.failsToList)) throw new SourceUnavailable('The host is away.');
      yield batch.filter(({ topics }) => !this.listsByTopic || topics.includes(TOPIC));
    }
  }

  lookUp(known: readonly KnownRepository[], signal: AbortSignal) {
    return this.#behind.lookUp(known, signal);
  }

  async readFile(repository: KnownRepository, commit: string, path: SourcePath, max: number, signal: AbortSignal) {
    const what = `${repository.owner}/${repository.name} ${path}`;
    this.reads.push(what);
    await this.beforeRead();
    if (this.failsToRead(what)) throw new SourceUnavailable('The host is away.');
    return this.#behind.readFile(repository, commit, path, max, signal);
  }
}

/** Indexer with real components. Its source is a folder of Git repositories. */
export class IndexerHarness implements AsyncDisposable {
  readonly folder: GitFolder;
  readonly source: WatchedSource;
  readonly records;
  readonly reader;
  readonly lines: Record<string, unknown>[] = [];
  /** Number of icons that were encoded. */
  encoded = 0;
  readonly #cleanup: AsyncDisposableStack;
  readonly #log;
  readonly #icons = createIconEncoder();

  private constructor(folder: GitFolder) {
    this.#cleanup = new AsyncDisposableStack();
    this.folder = this.#cleanup.use(folder);
    const write = (line: string) => void this.lines.push(JSON.parse(line) as Record<string, unknown>);
    this.#log = createLogger({ level: 'debug', destination: { write } });
    this.source = new WatchedSource(this.#cleanup.use(new DirectorySource({ path: folder.path, log: this.#log })));
    const database = join(folder.path, 'catalog.db');
    this.records = this.#cleanup.use(openRecords(database));
    this.reader = this.#cleanup.use(openReader(database));
    this.#cleanup.use(this.#icons);
  }

  static async make(): Promise<IndexerHarness> {
    return new IndexerHarness(await GitFolder.make());
  }

  /** Performs one pass with a new indexer, which knows only the data on disk. */
  pass(options: Partial<IndexerOptions> = {}, signal = new AbortController().signal): Promise<PassOutcome> {
    const icons = {
      encode: (icon: Uint8Array) => {
        this.encoded += 1;
        return this.#icons.encode(icon);
      },
    };
    const { source, records } = this;
    const config = { topics: [TOPIC], intervalS: 300 };
    return createIndexer({ config, source, records, icons, log: this.#log, ...options }).passOnce(signal);
  }

  /** Returns the listed templates as `owner/name tag`, newest first. */
  listed(): string[] {
    const { templates } = this.reader.list({ q: null, tag: null, sort: 'recent', limit: 48, after: null });
    return templates.map(({ owner, name, release }) => `${owner}/${name} ${release.tag}`);
  }

  /** Returns the problem codes of each release of a repository, by tag. */
  problems(repository: string): Record<string, string[]> {
    const [owner = '', name = ''] = repository.split('/');
    const releases = this.reader.releases(owner, name) ?? [];
    return Object.fromEntries(releases.map(({ tag, problems }) => [tag, problems.map(({ code }) => code)]));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }
}
