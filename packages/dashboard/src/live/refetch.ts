import type { Query, QueryClient } from '@tanstack/react-query';

/** In milliseconds: what happens together is asked for together, and the same answer at most so often. */
const TOGETHER_MS = 15;
const GAP_MS = 300;

interface Turn {
  /** It is wanted again after the one that is under way. */
  again: boolean;
}

/**
 * Reads answers again, each at most once at a time: however much happens meanwhile, one more time afterwards is enough.
 * What nobody looks at becomes stale instead, and is read when somebody does.
 */
export class Refetch {
  readonly #queries: QueryClient;
  /** By the hash of their key: those that wait or are under way. */
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
    // One that was asked for before may be answered as it was before.
    if (query.state.fetchStatus !== 'idle') await this.#fetch(query);
    turn.again = false;
    if (query.isActive()) await this.#fetch(query);
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    this.#turns.delete(query.queryHash);
    if (turn.again && query.isActive()) this.#begin(query, 0);
  }

  /** Joins one that is under way. What goes wrong stands in the query. */
  #fetch({ queryKey }: Query): Promise<void> {
    return this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
  }
}
