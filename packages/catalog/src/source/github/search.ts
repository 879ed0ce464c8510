import type { Logger } from '@davit/service';
import type { GitHubClient } from './client.ts';
import { GitHubUnavailable } from './failures.ts';
import { readNodes } from './nodes.ts';
import { countQuery, SEARCH } from './queries.ts';
import { CountData, type RepositoryNode, SearchData } from './shapes.ts';
import { createdWithin, pack, partsOf, SEARCH_CAP, type Slice, settle, WHOLE } from './slices.ts';

/**
 * Initial number of Git repositories per search request. If GitHub responds too slowly, the number is reduced down to
 * `SMALLEST_PAGE`.
 */
const PAGE = 50;
const SMALLEST_PAGE = 13;
/**
 * Maximum number of splits in one search. A million results need fewer splits. If more splits are needed, GitHub has
 * returned wrong result counts.
 */
const MOST_DIVISIONS = 200;
const WHAT = 'Repository search';

const TOO_MANY = 'too many repositories were pushed in the same second, so a search cannot list all of them';

interface Counted {
  slice: Slice;
  count: number;
}

interface Page {
  count: number;
  repositories: RepositoryNode[];
  /** Number of search results on the page. `repositories` can be shorter, because it omits results with errors. */
  size: number;
  next: string | null;
}

/**
 * Search for Git repositories on GitHub. GitHub limits the number of results. Therefore, a large search is split by the
 * creation dates of the repositories.
 */
export class Search {
  readonly #terms: string;
  readonly #client: GitHubClient;
  readonly #log: Logger;
  #slices: Slice[] = [WHOLE];
  #first = PAGE;
  #divisions = 0;

  /** @param terms terms of a GitHub search, such as `topic:a -topic:b` */
  constructor(terms: string, client: GitHubClient, log: Logger) {
    this.#terms = terms;
    this.#client = client;
    this.#log = log;
  }

  /**
   * Returns all Git repositories that match the search, page by page. A repository may occur twice if its position
   * changes during the search.
   */
  async *pages(signal: AbortSignal): AsyncGenerator<RepositoryNode[]> {
    this.#first = PAGE;
    this.#divisions = 0;
    const open = [...this.#slices];
    const done: Counted[] = [];
    try {
      for (let slice = open[0]; slice; slice = open[0]) {
        const page = await this.#page(slice, null, signal);
        const parts = page.count > SEARCH_CAP ? await this.#divide(slice, signal) : [slice];
        open.splice(0, 1, ...parts);
        if (parts.length > 1) continue;
        if (page.count > SEARCH_CAP) this.#log.warn({ slice, count: page.count }, TOO_MANY);
        open.shift();
        done.push({ slice, count: page.count });
        yield* this.#following(slice, page, signal);
      }
    } finally {
      this.#slices = [...settle(done), ...open];
    }
  }

  /** Yields all Git repositories that were created in a time span. The caller provides the first page. */
  async *#following(slice: Slice, first: Page, signal: AbortSignal): AsyncGenerator<RepositoryNode[]> {
    yield first.repositories;
    let received = first.size;
    for (let { next } = first; next !== null && received < SEARCH_CAP; ) {
      const page = await this.#page(slice, next, signal);
      yield page.repositories;
      received += page.size;
      next = page.next;
    }
  }

  /** Splits a time span until GitHub can return all search results of each part. Each split costs one request. */
  async #divide(slice: Slice, signal: AbortSignal): Promise<Slice[]> {
    const parts = partsOf(slice, Math.floor(Date.now() / 1000));
    if (parts.length === 1) return [slice];
    this.#divisions += 1;
    if (this.#divisions > MOST_DIVISIONS) throw unusable('impossible numbers of search results', this.#client);
    const counts = await this.#counts(parts, signal);
    const divided: Counted[] = [];
    for (const [index, part] of parts.entries()) {
      const count = counts[index] ?? 0;
      if (count <= SEARCH_CAP) divided.push({ slice: part, count });
      else divided.push(...(await this.#divide(part, signal)).map((each) => ({ slice: each, count: SEARCH_CAP })));
    }
    return pack(divided);
  }

  async #counts(parts: readonly Slice[], signal: AbortSignal): Promise<number[]> {
    const variables = Object.fromEntries(parts.map((part, index) => [`q${index}`, this.#query(part)]));
    const { data, errors } = await this.#client.query(countQuery(parts.length), variables, WHAT, signal);
    const counted = CountData.safeParse(data);
    if (errors.length > 0 || !counted.success) throw unusable(errors[0]?.message, this.#client);
    return parts.map((_, index) => counted.data[`q${index}`]?.repositoryCount ?? 0);
  }

  /**
   * Reads a page of search results. GitHub cancels a slow query with status 502 or 504. After such a status, this
   * method requests a smaller page.
   */
  async #page(slice: Slice, after: string | null, signal: AbortSignal): Promise<Page> {
    for (;;) {
      try {
        return await this.#ask(slice, after, signal);
      } catch (error) {
        const tooMuch = error instanceof GitHubUnavailable && (error.status === 502 || error.status === 504);
        if (!tooMuch || this.#first <= SMALLEST_PAGE) throw error;
        this.#first = Math.ceil(this.#first / 2);
        this.#log.warn({ first: this.#first }, 'github could not return a page: requesting a smaller page');
      }
    }
  }

  async #ask(slice: Slice, after: string | null, signal: AbortSignal): Promise<Page> {
    const variables = { query: this.#query(slice), first: this.#first, after };
    const { data, errors } = await this.#client.query(SEARCH, variables, WHAT, signal);
    const parsed = SearchData.safeParse(data);
    if (!parsed.success) throw unusable(errors[0]?.message, this.#client);
    const { repositoryCount: count, pageInfo, nodes } = parsed.data.search;
    const context = { client: this.#client, log: this.#log, what: WHAT };
    const answers = readNodes(nodes, errors, ['search', 'nodes'], context);
    const goesOn = pageInfo.hasNextPage && pageInfo.endCursor !== after && nodes.length > 0;
    const repositories = answers.filter((answer) => typeof answer === 'object');
    return { count, repositories, size: nodes.length, next: goesOn ? pageInfo.endCursor : null };
  }

  #query(slice: Slice): string {
    return [this.#terms, createdWithin(slice)].join(' ').trim();
  }
}

function unusable(message: string | undefined, client: GitHubClient): GitHubUnavailable {
  const said = message === undefined ? 'no usable data' : `“${client.tidy(message)}”`;
  return new GitHubUnavailable(`${WHAT}: GitHub returned ${said}. The next indexing run tries again.`);
}
