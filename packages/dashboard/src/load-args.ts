import type { QueryClient } from '@tanstack/react-query';

/** Arguments of the `load` function that each page module exports. */
export interface LoadArgs<P = Record<string, string>> {
  queries: QueryClient;
  params: P;
  search: Record<string, unknown>;
}
