import type { Logger } from '@davit/service';
import type { FileAnswer, KnownRepository, Recorded, SourcePath, SourceRepository, TemplateSource } from '../source.ts';
import { GitHubClient } from './client.ts';
import { Files } from './files.ts';
import { History } from './history.ts';
import { gitHubHosts } from './hosts.ts';
import { type Looked, lookUp } from './look-up.ts';
import { Search } from './search.ts';

export interface GitHubSourceOptions {
  /** Of the REST API: `https://api.github.com`, or `https://<host>/api/v3` of an Enterprise Server. */
  baseUrl: string;
  /** Without one GitHub answers nothing. */
  token: string | null;
  /** A repository that carries any of them is listed. */
  topics: readonly string[];
  log: Logger;
  fetch?: typeof globalThis.fetch;
  /** What a second lasts where GitHub asks to wait, in milliseconds: 1,000 but in tests. */
  secondMs?: number;
  /** For one answer with its body; 30,000. */
  timeoutMs?: number;
}

/**
 * Templates on GitHub, listed by topic. It asks one thing at a time, waits when GitHub says so, and keeps between passes
 * how its searches are split; one is made for the life of a process.
 * @throws TypeError for an address that is not safe to send a token to
 */
export function createGitHubSource(options: GitHubSourceOptions): TemplateSource {
  return new GitHubSource(options);
}

class GitHubSource implements TemplateSource {
  readonly listsByTopic = true;
  readonly #client: GitHubClient;
  readonly #history: History;
  readonly #files: Files;
  readonly #searches: Search[];
  readonly #log: Logger;

  constructor(options: GitHubSourceOptions) {
    const { baseUrl, token, topics, log, fetch = globalThis.fetch, secondMs = 1_000, timeoutMs = 30_000 } = options;
    this.#client = new GitHubClient({ hosts: gitHubHosts(baseUrl), token, log, fetch, secondMs, timeoutMs });
    this.#history = new History(this.#client);
    this.#files = new Files(this.#client);
    this.#searches = topics.map((topic, index) => {
      // What an earlier search lists is left out, so that a repository with two topics costs no more than one.
      const others = topics.slice(0, index).map((earlier) => `-topic:${earlier}`);
      return new Search([`topic:${topic}`, ...others].join(' '), this.#client, log);
    });
    this.#log = log;
  }

  async *repositories(signal: AbortSignal, recorded?: Recorded): AsyncGenerator<SourceRepository[]> {
    this.#client.begin();
    this.#history.begin();
    const listed = new Set<number>();
    for (const search of this.#searches) {
      for await (const page of search.pages(signal)) {
        const repositories: SourceRepository[] = [];
        for (const node of page) {
          if (listed.has(node.databaseId)) continue;
          listed.add(node.databaseId);
          repositories.push(await this.#history.repository(node, recorded, signal));
        }
        if (repositories.length > 0) yield repositories;
      }
    }
    this.#log.info({ repositories: listed.size, budget: this.#client.pace.budget() }, 'github listed');
  }

  lookUp(known: readonly KnownRepository[], signal: AbortSignal, recorded?: Recorded): AsyncGenerator<Looked> {
    return lookUp(known, { client: this.#client, history: this.#history, log: this.#log, recorded, signal });
  }

  readFile(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer> {
    return this.#files.read(repository, commit, path, maxBytes, signal);
  }
}
