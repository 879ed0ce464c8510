import type { Planned } from '@davit/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';

/** Change of app settings or variables that is not sent yet and would cause a deployment. */
export interface PlannedChange {
  /** TanStack Query key of the deployment plan: API operation, parameters and request body of the change. */
  key: readonly unknown[];
  /** Sends the change as a dry run, which returns the deployment plan. */
  ask: (signal: AbortSignal) => Promise<Planned>;
}

/**
 * Fetches the deployment plan of an unsaved change. A different change key fetches the plan again.
 * @param change `null` sends no request, because there are no changes or a save is in progress
 */
export function useChangePlan(change: PlannedChange | null): UseQueryResult<Planned> {
  return useQuery({
    queryKey: change?.key ?? ['plan'],
    queryFn: ({ signal }) => change?.ask(signal) ?? [],
    enabled: change !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
