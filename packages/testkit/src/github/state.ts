import { createHash } from 'node:crypto';

export interface SimulatedRelease {
  tag: string;
  name: string | null;
  /** SHA of the commit to which the Git tag refers. `null` if the Git tag refers to no commit. */
  commit: string | null;
  /** Time of creation as an RFC 3339 timestamp. */
  createdAt: string;
  publishedAt: string | null;
  draft: boolean;
  prerelease: boolean;
}

export type SimulatedEntry = Uint8Array | string | { kind: 'folder' } | { kind: 'submodule' };

export interface SimulatedRepository {
  readonly id: number;
  readonly nodeId: string;
  owner: { id: number; login: string; kind: 'User' | 'Organization' };
  name: string;
  description: string | null;
  stars: number;
  topics: string[];
  createdAt: string;
  private: boolean;
  /** Whether the GitHub token that the test uses has access to this private Git repository. */
  shared: boolean;
  /**
   * Whether the simulated GitHub denies access to the Git repository. The REST API then responds with status 403, and
   * the GraphQL API with the error FORBIDDEN.
   */
  forbidden: boolean;
  /** Releases of the Git repository, newest release first. */
  releases: SimulatedRelease[];
  files: Map<string, Record<string, SimulatedEntry>>;
}

/** Values of a new Git repository of the simulated GitHub. Missing values are generated. */
export interface NewRepository extends Partial<Omit<SimulatedRepository, 'owner' | 'releases' | 'files' | 'nodeId'>> {
  owner?: string;
}

export interface NewRelease extends Partial<SimulatedRelease> {
  /** Files in the commit of the release. The key is the path of the file. By default, the commit has no files. */
  files?: Record<string, SimulatedEntry>;
}

const START = Date.UTC(2024, 0, 1);
const HOUR_MS = 3_600_000;

/**
 * Data of a simulated GitHub in memory, such as accounts, Git repositories, releases and files. Tests can change this
 * data at any time.
 */
export class SimulatedGitHubState {
  readonly #repositories = new Map<number, SimulatedRepository>();
  readonly #names = new Map<string, number>();
  /**
   * Map from the old name of a renamed Git repository to the id of this repository. If another repository gets the old
   * name, this name is removed from the map.
   */
  readonly #formerNames = new Map<string, number>();
  readonly #owners = new Map<string, number>();
  #lastId = 1_000;
  #lastHour = 0;

  /**
   * Creates a Git repository.
   * @throws Error if the id or the name is already used
   */
  add(wanted: NewRepository = {}): SimulatedRepository {
    const id = wanted.id ?? ++this.#lastId;
    const owner = wanted.owner ?? 'acme';
    const name = wanted.name ?? `template-${id}`;
    if (this.#repositories.has(id) || this.named(owner, name)) throw new Error(`${id} ${owner}/${name} is taken`);
    const repository: SimulatedRepository = {
      description: `Template ${id}`,
      stars: 0,
      topics: ['davit-template'],
      createdAt: this.#time(),
      private: false,
      shared: false,
      forbidden: false,
      ...wanted,
      ...{ id, name, nodeId: `R_kgDO${Buffer.from(String(id)).toString('base64url')}` },
      owner: { id: this.#ownerId(owner), login: owner, kind: 'User' },
      releases: [],
      files: new Map(),
    };
    this.#repositories.set(id, repository);
    this.#names.set(keyOf(owner, name), id);
    this.#formerNames.delete(keyOf(owner, name));
    return repository;
  }

  /** Creates a new commit with the given files and publishes a release for this commit. */
  release(id: number, { files = {}, ...wanted }: NewRelease = {}): SimulatedRelease {
    const repository = this.get(id);
    const tag = wanted.tag ?? `v1.${repository.releases.length}.0`;
    const at = wanted.createdAt ?? this.#time();
    const commit = wanted.commit === undefined ? commitOf(id, tag, at) : wanted.commit;
    const release = {
      name: tag,
      publishedAt: at,
      draft: false,
      prerelease: false,
      ...wanted,
      tag,
      commit,
      createdAt: at,
    };
    repository.releases.unshift(release);
    if (commit !== null) repository.files.set(commit, { ...repository.files.get(commit), ...files });
    return release;
  }

  /**
   * Creates a new commit with the given files and moves a Git tag to this commit. Returns the SHA of the new commit.
   */
  moveTag(id: number, tag: string, files: Record<string, SimulatedEntry>): string {
    const repository = this.get(id);
    const release = repository.releases.find((one) => one.tag === tag);
    if (!release) throw new Error(`no release ${tag}`);
    release.commit = commitOf(id, tag, this.#time());
    repository.files.set(release.commit, files);
    return release.commit;
  }

  /**
   * Renames a Git repository, transfers it to another owner, or both. Requests with the old name are redirected until
   * another repository gets this name.
   */
  move(id: number, to: { owner?: string; name?: string }): void {
    const repository = this.get(id);
    const owner = to.owner ?? repository.owner.login;
    const name = to.name ?? repository.name;
    if (this.named(owner, name)) throw new Error(`${owner}/${name} is taken`);
    this.#names.delete(keyOf(repository.owner.login, repository.name));
    this.#names.set(keyOf(owner, name), id);
    this.#formerNames.set(keyOf(repository.owner.login, repository.name), id);
    this.#formerNames.delete(keyOf(owner, name));
    repository.owner = { ...repository.owner, login: owner, id: this.#ownerId(owner) };
    repository.name = name;
  }

  /** Deletes a Git repository. Another repository can then get its name. */
  remove(id: number): void {
    const { owner, name } = this.get(id);
    this.#names.delete(keyOf(owner.login, name));
    this.#repositories.delete(id);
  }

  /**
   * Returns a Git repository by its id.
   * @throws Error if the Git repository does not exist
   */
  get(id: number): SimulatedRepository {
    const repository = this.#repositories.get(id);
    if (!repository) throw new Error(`no repository ${id}`);
    return repository;
  }

  all(): IterableIterator<SimulatedRepository> {
    return this.#repositories.values();
  }

  /**
   * Returns a Git repository by its id. Returns `undefined` if the repository does not exist, or if the token has no
   * access to the repository.
   */
  visible(id: number): SimulatedRepository | undefined {
    const repository = this.#repositories.get(id);
    return repository && (!repository.private || repository.shared) ? repository : undefined;
  }

  named(owner: string, name: string): SimulatedRepository | undefined {
    const id = this.#names.get(keyOf(owner, name));
    return id === undefined ? undefined : this.#repositories.get(id);
  }

  /** Returns the Git repository that had this name before it was renamed or transferred. */
  formerlyNamed(owner: string, name: string): SimulatedRepository | undefined {
    const id = this.#formerNames.get(keyOf(owner, name));
    return id === undefined ? undefined : this.visible(id);
  }

  #ownerId(login: string): number {
    const key = login.toLowerCase();
    const id = this.#owners.get(key) ?? 100 + this.#owners.size;
    this.#owners.set(key, id);
    return id;
  }

  /**
   * Returns an RFC 3339 timestamp that is one hour later than the previous timestamp. All timestamps are therefore
   * different.
   */
  #time(): string {
    this.#lastHour += 1;
    return new Date(START + this.#lastHour * HOUR_MS).toISOString().replace('.000Z', 'Z');
  }
}

function keyOf(owner: string, name: string): string {
  return `${owner}/${name}`.toLowerCase();
}

function commitOf(...parts: (string | number)[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('hex');
}
