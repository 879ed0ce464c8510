import type { Planned } from '@davit/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';

/** A change that would be sent and deployed. */
export interface PlannedChange {
  /** Query key with everything that determines the plan: the operation, its parameters and its body. */
  key: readonly unknown[];
  /** Sends the change as a dry run. */
  ask: (signal: AbortSignal) => Promise<Planned>;
}

/**
 * Returns the plan of a change with its deployment. The plan is requested again when the change's key changes.
 * @param change `null` sends no request, because there is nothing to deploy or the change is being saved
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
