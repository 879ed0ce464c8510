import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Number of milliseconds for which events are collected before one fetch. `GAP_MS` is the minimum number of
 * milliseconds between two fetches of the same API response.
 */
const TOGETHER_MS = 15;
const GAP_MS = 300;

interface Turn {
  /** Whether an event arrived during the current fetch, so that the API response must be fetched once more. */
  again: boolean;
}

/**
 * Refetches outdated API responses in the query cache. A response has at most one fetch at a time. All events during a
 * fetch cause one further fetch. A response that no component shows is only marked as outdated.
 */
export class Refetch {
  readonly #queries: QueryClient;
  /** Planned and running fetches, by the hash of the query key. */
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
    // A fetch that is in progress may return a response from before the event, so a second fetch follows.
    if (query.state.fetchStatus !== 'idle') await this.#fetch(query);
    turn.again = false;
    if (query.isActive()) await this.#fetch(query);
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    this.#turns.delete(query.queryHash);
    if (turn.again && query.isActive()) this.#begin(query, 0);
  }

  /**
   * Refetches the response of a query. If a fetch is in progress, waits for it instead. An error is stored in the state
   * of the query.
   */
  #fetch({ queryKey }: Query): Promise<void> {
    return this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
  }
}
