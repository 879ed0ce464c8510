import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Time in milliseconds for which several events are combined into one fetch. `GAP_MS` is the minimum time between two
 * fetches of the same answer.
 */
const TOGETHER_MS = 15;
const GAP_MS = 300;

interface Turn {
  /** Whether a further fetch is needed, because an event arrived during the running fetch. */
  again: boolean;
}

/**
 * Refetches stale answers of the query cache, at most one fetch per answer at a time. All events during a fetch cause
 * one further fetch. Answers that no component shows are only marked as stale.
 */
export class Refetch {
  readonly #queries: QueryClient;
  /** Waiting and running refetches by the hash of their query key. */
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
    // A running fetch may return an answer from before the event. Waits for that fetch, then fetches the answer again.
    if (query.state.fetchStatus !== 'idle') await this.#fetch(query);
    turn.again = false;
    if (query.isActive()) await this.#fetch(query);
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    this.#turns.delete(query.queryHash);
    if (turn.again && query.isActive()) this.#begin(query, 0);
  }

  /** Refetches the answer of a query, or waits for a running fetch. An error goes into the state of the query. */
  #fetch({ queryKey }: Query): Promise<void> {
    return this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
  }
}
