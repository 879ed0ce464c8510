import type { Setup } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { account } from '../account.ts';

/** Time in milliseconds for which several callers use the same response, for example while the first page loads. */
const SHARED_MS = 1_000;

/**
 * Fetches whether the instance has a user, and whether the user of this browser is signed in. The server never rejects
 * this request, so that the browser console shows no error.
 */
export function fetchSetup(queries: QueryClient): Promise<Setup> {
  return queries.fetchQuery({ queryKey: ['setup', {}, {}], queryFn: () => account.setup(), staleTime: SHARED_MS });
}
