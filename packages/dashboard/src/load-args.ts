import type { QueryClient } from '@tanstack/react-query';

/** Arguments of a page's `load` function. */
export interface LoadArgs<P = Record<string, string>> {
  queries: QueryClient;
  params: P;
  search: Record<string, unknown>;
}
