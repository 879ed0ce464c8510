import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import type { Logger } from '@davit/service';
import { avatarUrl, repositoryUrl } from '../addresses.ts';
import {
  type FileAnswer,
  type KnownRepository,
  type SourcePath,
  type SourceRepository,
  SourceUnavailable,
  type TemplateSource,
} from '../source.ts';
import { readDescription } from './description.ts';
import { locationOf, locationsOf, type RepositoryLocation } from './folder.ts';
import { demandGit } from './git.ts';
import { LooseFiles } from './loose-objects.ts';
import { mapAhead } from './map-ahead.ts';
import { ObjectReader } from './object-reader.ts';
import { readTags } from './tags.ts';

/**
 * Number of Git repositories that are read concurrently. Reading a repository mostly means waiting for Git processes.
 */
const AHEAD = 4;
/**
 * Maximum number of open Git processes. Each process reads one Git repository. The least recently used processes are
 * closed first.
 */
const OPEN_READERS = 8;
/**
 * Idle time in milliseconds after which a Git process is closed. Therefore, no Git process stays open between two
 * indexing runs.
 */
const IDLE_MS = 10_000;
/**
 * Number of hexadecimal digits of a repository id. 13 digits are 52 bits, and JavaScript numbers represent such
 * integers exactly.
 */
const ID_DIGITS = 13;

export interface DirectorySourceOptions {
  path: string;
  log: Logger;
}

/**
 * Template source that reads a folder of bare Git repositories `<owner>/<name>.git`. Each Git tag is a release. A file
 * `<name>.json` can set values such as stars.
 */
export class DirectorySource implements TemplateSource, Disposable {
  readonly listsByTopic = false;
  readonly #path: string;
  readonly #log: Logger;
  readonly #loose = new LooseFiles();
  /** Map from the folder of a Git repository to its open Git process. The most recently used process is last. */
  readonly #readers = new Map<string, ObjectReader>();
  #idle: NodeJS.Timeout | undefined;

  constructor({ path, log }: DirectorySourceOptions) {
    this.#path = path;
    this.#log = log;
  }

  async *repositories(signal: AbortSignal): AsyncGenerator<SourceRepository[]> {
    /*
     * Without the `git` command, every Git repository would look damaged. Therefore, the whole indexing run fails in
     * this case.
     */
    await demandGit(signal);
    const nameById = new Map<number, string>();
    for await (const found of mapAhead(locationsOf(this.#path, this.#log), AHEAD, (location) =>
      this.#read(location, signal),
    )) {
      if (found === 'unknown') continue;
      const full = `${found.owner}/${found.name}`;
      const other = nameById.get(found.id);
      if (other === undefined) yield [found];
      else
        this.#log.warn(
          { repository: full, other, id: found.id },
          'repository is not listed: another repository has the same id',
        );
      nameById.set(found.id, other ?? full);
    }
  }

  /**
   * Checks Git repositories that the catalog contains. Yields no result for a repository that exists but cannot be
   * read.
   */
  async *lookUp(known: readonly KnownRepository[], signal: AbortSignal) {
    for await (const [{ id, owner, name }, found] of mapAhead(known, AHEAD, async (one) => {
      const location = locationOf(this.#path, one.owner, one.name);
      return [one, location && (await isThere(location)) ? await this.#read(location, signal) : null] as const;
    })) {
      if (found === 'unknown') this.#log.info({ repository: `${owner}/${name}` }, 'repository is unchanged');
      else yield { id, repository: found?.id === id ? found : null };
    }
  }

  async readFile(
    { owner, name }: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer> {
    signal.throwIfAborted();
    const location = locationOf(this.#path, owner, name);
    if (location === null || !/^[0-9a-f]{40,64}$/.test(commit)) {
      throw new SourceUnavailable(
        `The repository ${owner}/${name} does not exist, or ${commit} is not a valid commit id.`,
      );
    }
    const loose = await this.#loose.read(location.gitDir, commit, path, maxBytes);
    return loose ?? this.#reader(location.gitDir).read(commit, path, maxBytes);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    for (const reader of this.#readers.values()) reader[Symbol.dispose]();
    this.#readers.clear();
  }

  async #read(location: RepositoryLocation, signal: AbortSignal): Promise<SourceRepository | 'unknown'> {
    const { owner, name, gitDir } = location;
    const repository = `${owner}/${name}`;
    try {
      const described = await readDescription(location.description);
      const { releases, warnings } = await readTags(gitDir, owner, name, signal);
      if (warnings) this.#log.warn({ repository, warnings }, 'git reported a warning about a repository');
      return {
        id: described.id ?? idOf(owner, name),
        nodeId: null,
        owner,
        ownerId: null,
        name,
        description: described.description ?? '',
        url: described.url ?? repositoryUrl(owner, name),
        avatarUrl: described.avatar_url ?? avatarUrl(owner),
        stars: described.stars ?? 0,
        topics: [...new Set(described.topics)].sort(),
        private: described.private ?? false,
        releases,
      };
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      this.#log.warn({ repository, error }, 'repository could not be read; its entry in the catalog is unchanged');
      return 'unknown';
    }
  }

  #reader(gitDir: string): ObjectReader {
    const open = this.#readers.get(gitDir);
    const reader = open?.usable ? open : new ObjectReader(gitDir);
    this.#readers.delete(gitDir);
    this.#close(OPEN_READERS - 1);
    this.#readers.set(gitDir, reader);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#close(0), IDLE_MS).unref();
    return reader;
  }

  /**
   * Closes idle Git processes until at most `left` processes remain. The least recently used processes are closed
   * first.
   */
  #close(left: number): void {
    for (const [path, reader] of this.#readers) {
      if (this.#readers.size <= left) return;
      if (!reader.idle) continue;
      reader[Symbol.dispose]();
      this.#readers.delete(path);
    }
  }
}

/**
 * Returns an id for a Git repository that has no id in its JSON file. The catalog identifies repositories by id, so the
 * id must never change.
 */
function idOf(owner: string, name: string): number {
  const digest = createHash('sha256').update(`${owner}/${name}`.toLowerCase()).digest('hex');
  // The hash of a repository name can be 0. 0 is not a valid repository id, so 1 is used instead.
  return Number.parseInt(digest.slice(0, ID_DIGITS), 16) || 1;
}

/**
 * Returns whether the folder of a Git repository exists. Returns `true` if the check fails, for example because of
 * missing permissions.
 */
async function isThere({ gitDir }: RepositoryLocation): Promise<boolean> {
  try {
    return (await lstat(gitDir)).isDirectory();
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
  }
}
