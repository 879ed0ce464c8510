import { LRUCache } from 'lru-cache';
import type { FileAnswer, KnownRepository, SourcePath } from '../source.ts';
import type { GitHubClient } from './client.ts';
import { GitHubUnavailable } from './failures.ts';
import { entriesQuery } from './queries.ts';
import { EntriesData } from './shapes.ts';

const PATHS: readonly SourcePath[] = ['template.yaml', 'template.yml', 'README.md', 'icon.png'];
/**
 * Maximum memory in bytes for cached files from GitHub. With this cache, the next indexing run can continue an
 * incomplete download of a release.
 */
const KEPT_BYTES = 4 * 1024 * 1024;
const KEPT_LISTS = 1_000;

export class Files {
  readonly #client: GitHubClient;
  readonly #kept = new LRUCache<string, { etag: string; bytes: Uint8Array }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  /**
   * Map from Git repository and commit to the paths that exist at this commit. Each value is a promise, so that
   * concurrent calls share one request.
   */
  readonly #entries = new LRUCache<string, Promise<ReadonlySet<string>>>({ max: KEPT_LISTS });

  constructor(client: GitHubClient) {
    this.#client = client;
  }

  async read(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer> {
    const { id, owner, name } = repository;
    // The names `.` and `..` are rejected. In a URL, these names mean folders, even if they are percent-encoded.
    if ([owner, name].some((part) => /^\.{0,2}$/.test(part))) throw unclear(repository, path, 'the name is not valid');
    if ((await this.#entries.get(`${id} ${commit}`))?.has(path) === false) return { kind: 'missing' };
    const key = `${id} ${commit} ${path}`;
    const kept = this.#kept.get(key);
    const request = { owner, name, id, path, commit, maxBytes, etag: kept?.etag ?? null };
    const answer = await this.#client.file(request, signal);
    if (answer.kind === 'too-large') return { kind: 'too-large' };
    if (answer.kind === 'unchanged' && kept) {
      return kept.bytes.length > maxBytes ? { kind: 'too-large' } : { kind: 'found', bytes: kept.bytes };
    }
    if (answer.kind === 'not-found') return this.#missing(repository, commit, path, signal);
    if (answer.kind === 'unchanged')
      throw unclear(repository, path, 'GitHub returned status 304 for a file that the catalog does not have');
    if (isListing(answer.headers)) return missingIfListing(answer.bytes, repository, path);
    const etag = answer.headers.get('etag');
    if (etag !== null) this.#kept.set(key, { etag, bytes: answer.bytes });
    return { kind: 'found', bytes: answer.bytes };
  }

  /**
   * Checks whether a file is really missing. GitHub also sends status 404 if the repository was renamed, deleted or
   * made private.
   * @throws GitHubUnavailable
   */
  async #missing(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    signal: AbortSignal,
  ): Promise<FileAnswer> {
    const key = `${repository.id} ${commit}`;
    const pending = this.#entries.get(key) ?? this.#ask(repository, commit, path, signal);
    this.#entries.set(key, pending);
    // A failed request is removed from the cache, so that a later call sends a new request to GitHub.
    pending.catch(() => this.#entries.delete(key));
    if ((await pending).has(path)) throw unclear(repository, path, 'the file exists but cannot be read at the moment');
    return { kind: 'missing' };
  }

  async #ask(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { id, nodeId, owner, name } = repository;
    const expressions = Object.fromEntries(PATHS.map((each, index) => [`p${index}`, `${commit}:${each}`]));
    const variables = { id: nodeId ?? '', commit, ...expressions };
    const what = `Lookup of ${path} in ${owner}/${name}`;
    const { data, errors } = await this.#client.query(entriesQuery(PATHS.length), variables, what, signal);
    const node = errors.length === 0 ? EntriesData.safeParse(data).data?.node : null;
    if (node?.databaseId !== id || node.commit === null)
      throw unclear(repository, path, 'GitHub does not return the commit at the moment');
    return new Set(PATHS.filter((_, index) => node[`p${index}`] !== null));
  }
}

/**
 * Returns whether GitHub's response describes a folder, a submodule or a symbolic link. A response with a file has
 * another content type.
 */
function isListing(headers: Headers): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

/**
 * Returns `missing` if GitHub's response describes a folder, a submodule, or a symbolic link that does not lead to a
 * file.
 * @throws GitHubUnavailable for any other response
 */
function missingIfListing(bytes: Uint8Array, repository: KnownRepository, path: SourcePath): FileAnswer {
  const first = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart()[0];
  if (first === '[' || first === '{') return { kind: 'missing' };
  throw unclear(repository, path, 'GitHub did not return a file');
}

function unclear({ owner, name }: KnownRepository, path: SourcePath, why: string): GitHubUnavailable {
  return new GitHubUnavailable(
    `${path} of ${owner}/${name} cannot be read: ${why}. The next indexing run tries again.`,
  );
}
