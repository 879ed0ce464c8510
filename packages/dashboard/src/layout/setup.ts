import type { Setup } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { account } from '../account.ts';

/** Time in milliseconds for which several callers share one response, for example while the first page loads. */
const SHARED_MS = 1_000;

/**
 * Fetches whether the instance has a user, and whether the browser is signed in. The server answers every caller, so
 * browsers show no error about a rejected request.
 */
export function fetchSetup(queries: QueryClient): Promise<Setup> {
  return queries.fetchQuery({ queryKey: ['setup', {}, {}], queryFn: () => account.setup(), staleTime: SHARED_MS });
}
