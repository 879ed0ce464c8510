import { createLogger } from '@davit/service';
import { type GitHub, type GitHubOptions, startGitHub } from '@davit/testkit/github';
import { createGitHubSource, type GitHubSourceOptions } from '../../src/source/github/github.ts';
import type { KnownRepository, Recorded, SourceRepository, TemplateSource } from '../../src/source/source.ts';

/** Duration in milliseconds that the tests use for a second that GitHub demands, so that they finish quickly. */
export const SECOND_MS = 10;
export const TOPICS = ['davit-template', 'cubeship-template'];

export interface TestSource extends AsyncDisposable {
  github: GitHub;
  source: TemplateSource;
  /** Lines of the log. */
  lines: string[];
  signal: AbortSignal;
  /** Returns all repositories of a listing in their order. */
  list(recorded?: Recorded): Promise<SourceRepository[]>;
  lookUp(known: readonly KnownRepository[]): Promise<Map<number, SourceRepository | null>>;
  /** Returns the names of the GraphQL queries since the last call. A REST request is `null`. */
  operations(): (string | null)[];
}

/** Starts a simulated GitHub and creates a source that reads from it. */
export async function startSource(
  options: Partial<GitHubSourceOptions> = {},
  server: GitHubOptions = {},
): Promise<TestSource> {
  const github = await startGitHub(server);
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const given = { baseUrl: github.url, token: github.token, topics: TOPICS, log, secondMs: SECOND_MS, ...options };
  const source = createGitHubSource(given);
  const { signal } = new AbortController();
  return {
    github,
    source,
    lines,
    signal,
    list: async (recorded) => (await Array.fromAsync(source.repositories(signal, recorded))).flat(),
    lookUp: async (known) => {
      const found = await Array.fromAsync(source.lookUp(known, signal));
      return new Map(found.map(({ id, repository }) => [id, repository]));
    },
    operations: () => {
      const operations = github.requests.map(({ operation }) => operation);
      github.forget();
      return operations;
    },
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

/** Creates a repository with one release. Returns the known repository and the commit of the release. */
export function publishOne({ github }: TestSource) {
  const repository = github.world.add({ id: 1, owner: 'acme', name: 'wiki' });
  const { commit } = github.world.release(1, { files: { 'template.yaml': 'x'.repeat(100) } });
  return { known: { ...repository, owner: 'acme' }, commit: commit ?? '' };
}
