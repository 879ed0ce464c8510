import { createHash } from 'node:crypto';

export interface WorldRelease {
  tag: string;
  name: string | null;
  /** Null: the tag names no commit. */
  commit: string | null;
  /** RFC 3339. */
  createdAt: string;
  publishedAt: string | null;
  draft: boolean;
  prerelease: boolean;
}

/** What stands under a path at a commit. */
export type WorldEntry = Uint8Array | string | { kind: 'folder' } | { kind: 'submodule' };

export interface WorldRepository {
  readonly id: number;
  readonly nodeId: string;
  owner: { id: number; login: string; kind: 'User' | 'Organization' };
  name: string;
  description: string | null;
  stars: number;
  topics: string[];
  createdAt: string;
  private: boolean;
  /** Of a private one: whether the token may see it. */
  shared: boolean;
  /** Whoever asks is told that he may not. */
  forbidden: boolean;
  /** The newest first, as they were made. */
  releases: WorldRelease[];
  files: Map<string, Record<string, WorldEntry>>;
}

/** What can be told of a new repository; everything else gets a value of its own. */
export interface NewRepository extends Partial<Omit<WorldRepository, 'owner' | 'releases' | 'files' | 'nodeId'>> {
  owner?: string;
}

export interface NewRelease extends Partial<WorldRelease> {
  /** The files of its commit, by path. */
  files?: Record<string, WorldEntry>;
}

const START = Date.UTC(2024, 0, 1);
const HOUR_MS = 3_600_000;

/** Accounts, repositories, releases and files of a GitHub that exists in memory. Everything may change at any time. */
export class World {
  readonly #repositories = new Map<number, WorldRepository>();
  readonly #names = new Map<string, number>();
  /** Names that repositories had: a new one with such a name takes it over. */
  readonly #formerNames = new Map<string, number>();
  readonly #owners = new Map<string, number>();
  #lastId = 1_000;
  #lastHour = 0;

  /** Makes a repository. @throws Error when the id or the name is taken */
  add(wanted: NewRepository = {}): WorldRepository {
    const id = wanted.id ?? ++this.#lastId;
    const owner = wanted.owner ?? 'acme';
    const name = wanted.name ?? `template-${id}`;
    if (this.#repositories.has(id) || this.named(owner, name)) throw new Error(`${id} ${owner}/${name} is taken`);
    const repository: WorldRepository = {
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

  /** Publishes a release of a commit that holds these files. */
  release(id: number, { files = {}, ...wanted }: NewRelease = {}): WorldRelease {
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

  /** Points a tag at another commit, which holds these files. */
  moveTag(id: number, tag: string, files: Record<string, WorldEntry>): string {
    const repository = this.get(id);
    const release = repository.releases.find((one) => one.tag === tag);
    if (!release) throw new Error(`no release ${tag}`);
    release.commit = commitOf(id, tag, this.#time());
    repository.files.set(release.commit, files);
    return release.commit;
  }

  /** Renames a repository, gives it to another owner, or both. Its old name leads to it until another takes that. */
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

  /** Deletes a repository; its name is free. */
  remove(id: number): void {
    const { owner, name } = this.get(id);
    this.#names.delete(keyOf(owner.login, name));
    this.#repositories.delete(id);
  }

  /** @throws Error when there is none */
  get(id: number): WorldRepository {
    const repository = this.#repositories.get(id);
    if (!repository) throw new Error(`no repository ${id}`);
    return repository;
  }

  all(): IterableIterator<WorldRepository> {
    return this.#repositories.values();
  }

  /** By its number, if the token may see it. */
  visible(id: number): WorldRepository | undefined {
    const repository = this.#repositories.get(id);
    return repository && (!repository.private || repository.shared) ? repository : undefined;
  }

  named(owner: string, name: string): WorldRepository | undefined {
    const id = this.#names.get(keyOf(owner, name));
    return id === undefined ? undefined : this.#repositories.get(id);
  }

  /** The repository that once had a name. */
  formerlyNamed(owner: string, name: string): WorldRepository | undefined {
    const id = this.#formerNames.get(keyOf(owner, name));
    return id === undefined ? undefined : this.visible(id);
  }

  #ownerId(login: string): number {
    const key = login.toLowerCase();
    const id = this.#owners.get(key) ?? 100 + this.#owners.size;
    this.#owners.set(key, id);
    return id;
  }

  /** Each an hour after the one before. */
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
