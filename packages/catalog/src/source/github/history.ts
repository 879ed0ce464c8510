import type { Recorded, SourceRelease, SourceRepository } from '../source.ts';
import type { GitHubClient } from './client.ts';
import { GitHubUnavailable } from './failures.ts';
import { FURTHER } from './queries.ts';
import { FurtherData, type RepositoryNode, repositoryOf } from './shapes.ts';

/**
 * Maximum number of releases, and of topics, that are read from one Git repository. Only scripts create more releases
 * or topics.
 */
const MOST = 1_000;
/**
 * Maximum number of Git repositories whose older releases are read in one indexing run. Later runs read the older
 * releases of further repositories.
 */
const MOST_A_PASS = 300;

/**
 * Reads older releases of a Git repository if some are missing in the catalog. The normal GraphQL query returns only
 * the latest ten releases.
 */
export class History {
  readonly #client: GitHubClient;
  /**
   * Map from repository id to the number of its releases. An entry is added when all releases of the repository are
   * recorded.
   */
  readonly #complete = new Map<number, number>();
  #left = MOST_A_PASS;

  constructor(client: GitHubClient) {
    this.#client = client;
  }

  begin(): void {
    this.#left = MOST_A_PASS;
  }

  /**
   * Returns a Git repository with all its topics. Also reads its older releases if some may be missing in the catalog
   * database.
   */
  async repository(
    node: RepositoryNode,
    recorded: Recorded | undefined,
    signal: AbortSignal,
  ): Promise<SourceRepository> {
    const id = node.databaseId;
    const known = node.releases.pageInfo.hasNextPage ? (recorded?.(id) ?? []) : [];
    const older =
      node.releases.pageInfo.hasNextPage &&
      this.#left > 0 &&
      known.length < node.releases.totalCount &&
      this.#complete.get(id) !== node.releases.totalCount;
    if (!older && !node.repositoryTopics.pageInfo.hasNextPage) return repositoryOf(node);
    if (older) this.#left -= 1;
    const whole = repositoryOf(await this.#further(node, older, signal));
    if (older && (!recorded || areRecorded(whole.releases, known))) this.#complete.set(id, node.releases.totalCount);
    return whole;
  }

  async #further(node: RepositoryNode, older: boolean, signal: AbortSignal): Promise<RepositoryNode> {
    const topics = { ...node.repositoryTopics };
    const releases = { ...node.releases };
    const what = `Releases and topics of ${node.owner.login}/${node.name}`;
    let withTopics = topics.pageInfo.hasNextPage;
    let withReleases = older;
    while (withTopics || withReleases) {
      const cursors = { topics: topics.pageInfo.endCursor, releases: releases.pageInfo.endCursor };
      const { data, errors } = await this.#client.query(
        FURTHER,
        { id: node.id, ...cursors, withTopics, withReleases },
        what,
        signal,
      );
      const parsed = FurtherData.safeParse(data);
      const more = parsed.data?.node;
      if (errors.length > 0 || !more) throw new GitHubUnavailable(`${what}: GitHub returned no usable data.`);
      if (more.repositoryTopics) append(topics, more.repositoryTopics);
      if (more.releases) append(releases, more.releases);
      withTopics &&= goesOn(topics, cursors.topics);
      withReleases &&= goesOn(releases, cursors.releases);
    }
    return { ...node, repositoryTopics: topics, releases };
  }
}

interface Page<T> {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: T[];
}

/**
 * Appends the items of a GraphQL page to a list. An empty page is treated as the last page, even if `hasNextPage` is
 * true.
 */
function append<T>(list: Page<T>, page: Page<T>): void {
  list.nodes = [...list.nodes, ...page.nodes];
  list.pageInfo = { ...page.pageInfo, hasNextPage: page.pageInfo.hasNextPage && page.nodes.length > 0 };
}

/**
 * Returns whether another page of a GraphQL list must be requested. An unchanged cursor would cause an endless loop.
 */
function goesOn({ pageInfo: { hasNextPage, endCursor }, nodes }: Page<unknown>, before: string | null): boolean {
  return hasNextPage && endCursor !== null && endCursor !== before && nodes.length < MOST;
}

function areRecorded(releases: readonly SourceRelease[], known: ReturnType<Recorded>): boolean {
  const names = new Set(known.map(({ tag, commit }) => `${commit} ${tag}`));
  return releases.every(({ tag, commit }) => names.has(`${commit} ${tag}`));
}
