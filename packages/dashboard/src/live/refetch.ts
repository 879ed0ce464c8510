import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Time in milliseconds for which events are collected before one fetch. `GAP_MS` is the minimum time between two
 * fetches of one answer.
 */
const TOGETHER_MS = 15;
const GAP_MS = 300;

interface Turn {
  /** Whether the answer must be fetched once more after the fetch in progress. */
  again: boolean;
}

/**
 * Fetches stale answers again, with at most one fetch of an answer at a time. Any number of events during a fetch
 * causes only one more fetch. An answer that no component shows only becomes stale and is fetched when a component
 * shows it.
 */
export class Refetch {
  readonly #queries: QueryClient;
  /** Fetches that wait or are in progress, by the hash of their query key. */
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
    // A fetch that started earlier may return the state from before the event.
    if (query.state.fetchStatus !== 'idle') await this.#fetch(query);
    turn.again = false;
    if (query.isActive()) await this.#fetch(query);
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    this.#turns.delete(query.queryHash);
    if (turn.again && query.isActive()) this.#begin(query, 0);
  }

  /** Fetches the answer, or joins a fetch in progress. Errors are stored in the query. */
  #fetch({ queryKey }: Query): Promise<void> {
    return this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
  }
}
