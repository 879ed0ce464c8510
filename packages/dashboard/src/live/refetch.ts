import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Time in milliseconds for which several events are combined into one fetch. `GAP_MS` is the minimum time between two
 * fetches of the same answer.
 */
const TOGETHER_MS = 15;
const GAP_MS = 300;

interface Turn {
  /** Whether the answer must be fetched once more, because an event arrived during the fetch. */
  again: boolean;
}

/**
 * Refetches stale answers of the query cache, at most one fetch per answer at a time. All events during a fetch cause
 * one further fetch. Answers that no component shows are only marked as stale.
 */
export class Refetch {
  readonly #queries: QueryClient;
  /** Waiting and running fetches by the hash of their query key. */
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
    // Waits for a fetch that is already running, because its answer may be older than the event. Then the answer is
    // fetched again.
    if (query.state.fetchStatus !== 'idle') await this.#fetch(query);
    turn.again = false;
    if (query.isActive()) await this.#fetch(query);
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    this.#turns.delete(query.queryHash);
    if (turn.again && query.isActive()) this.#begin(query, 0);
  }

  /** Fetches the answer, or waits for a running fetch. Errors go into the state of the query. */
  #fetch({ queryKey }: Query): Promise<void> {
    return this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
  }
}
