import type { QueryClient } from '@tanstack/react-query';

/** What a page's `load` gets. */
export interface LoadArgs<P = Record<string, string>> {
  queries: QueryClient;
  params: P;
  search: Record<string, unknown>;
}
