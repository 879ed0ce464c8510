import type { Query, QueryClient } from '@tanstack/react-query';

/** Time in milliseconds during which events are collected, so that several events cause only one fetch. */
const TOGETHER_MS = 15;
/** Minimum time in milliseconds between two fetches of the same API response. */
const GAP_MS = 300;

interface Turn {
  /**
   * Whether an event arrived while the API response was being fetched. If so, the API response is fetched once more.
   */
  again: boolean;
}

/**
 * Fetches outdated API responses again if a component shows them. Other responses are only marked as outdated. Several
 * events during a fetch cause only one more fetch.
 */
export class Refetch {
  readonly #queries: QueryClient;
  /**
   * Fetches that are running or will start soon. The key is the `queryHash` of TanStack Query, which identifies the API
   * request.
   */
  readonly #turns = new Map<string, Turn>();

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  want(query: Query): void {
    query.invalidate();
    if (!query.isActive()) return;
    const turn = this.#turns.get(query.queryHash);
    if (turn !== undefined) turn.again = true;
    else this.#begin(query, TOGETHER_MS);
  }

  #begin(query: Query, inMs: number): void {
    const turn: Turn = { again: false };
    this.#turns.set(query.queryHash, turn);
    setTimeout(() => void this.#read(query, turn), inMs);
  }

  async #read(query: Query, turn: Turn): Promise<void> {
    /*
     * If a fetch is already running, its response may contain old data. Wait until this fetch ends, and then fetch
     * again.
     */
    if (query.state.fetchStatus !== 'idle') await this.#fetch(query);
    turn.again = false;
    if (query.isActive()) await this.#fetch(query);
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    this.#turns.delete(query.queryHash);
    if (turn.again && query.isActive()) this.#begin(query, 0);
  }

  /**
   * Fetches the response of a query again. If a fetch is in progress, the function only waits until this fetch ends. An
   * error is stored in the state of the query.
   */
  #fetch({ queryKey }: Query): Promise<void> {
    return this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
  }
}
