import type { Logger } from '@davit/service';
import type { FileAnswer, KnownRepository, Recorded, SourcePath, SourceRepository, TemplateSource } from '../source.ts';
import { GitHubClient } from './client.ts';
import { Files } from './files.ts';
import { History } from './history.ts';
import { gitHubHosts } from './hosts.ts';
import { type Looked, lookUp } from './look-up.ts';
import { Search } from './search.ts';

export interface GitHubSourceOptions {
  /** URL of GitHub's REST API: `https://api.github.com`, or `https://<host>/api/v3` for GitHub Enterprise Server. */
  baseUrl: string;
  /** GitHub token. If `null`, every request fails. */
  token: string | null;
  /** GitHub topics that mark template repositories. A Git repository needs only one of these topics. */
  topics: readonly string[];
  log: Logger;
  fetch?: typeof globalThis.fetch;
  /**
   * Number of milliseconds in a second, for waits between requests to GitHub. Default: 1,000. Tests use a smaller
   * number to shorten the waits.
   */
  secondMs?: number;
  /** Maximum time in milliseconds for receiving one complete response of GitHub. Default: 30,000. */
  timeoutMs?: number;
}

/**
 * Creates a template source that searches GitHub by topic. It sends one request at a time and follows GitHub's rate
 * limits. Use the same object for all indexing runs, because it stores how to split a large search.
 * @throws TypeError if the GitHub URL is an unencrypted `http` URL of another machine, because others could read the
 * GitHub token
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
      // Each search excludes the topics of earlier searches. Therefore, each Git repository is found only once.
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
    this.#log.info(
      { repositories: listed.size, budget: this.#client.pace.budget() },
      'the list of repositories was read from GitHub',
    );
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
