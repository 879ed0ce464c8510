import { createLogger } from '@davit/service';
import { type GitHub, type GitHubOptions, startGitHub } from '@davit/testkit/github';
import { createGitHubSource, type GitHubSourceOptions } from '../../src/source/github/github.ts';
import type { KnownRepository, Recorded, SourceRepository, TemplateSource } from '../../src/source/source.ts';

/** A second that GitHub asks to wait, in the tests. */
export const SECOND_MS = 10;
export const TOPICS = ['davit-template', 'cubeship-template'];

export interface TestSource extends AsyncDisposable {
  github: GitHub;
  source: TemplateSource;
  /** What was logged, a line each. */
  lines: string[];
  signal: AbortSignal;
  /** Everything that a listing shows, in its order. */
  list(recorded?: Recorded): Promise<SourceRepository[]>;
  lookUp(known: readonly KnownRepository[]): Promise<Map<number, SourceRepository | null>>;
  /** The names of the queries since the last time. */
  operations(): (string | null)[];
}

/** A source, and the GitHub of ours that it reads. */
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

/** Makes a repository with a release, and tells what is known of it. */
export function publishOne({ github }: TestSource) {
  const repository = github.world.add({ id: 1, owner: 'acme', name: 'wiki' });
  const { commit } = github.world.release(1, { files: { 'template.yaml': 'x'.repeat(100) } });
  return { known: { ...repository, owner: 'acme' }, commit: commit ?? '' };
}
