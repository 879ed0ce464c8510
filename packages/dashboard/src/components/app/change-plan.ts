import type { Planned } from '@davit/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';

/** A change as it would be sent to be deployed. */
export interface PlannedChange {
  /** All that the plan depends on: the operation, its parameters, what is sent. */
  key: readonly unknown[];
  /** Sends it as a dry run. */
  ask: (signal: AbortSignal) => Promise<Planned>;
}

/**
 * What a change would do with its deployment, asked anew when either is another.
 * @param change null asks for nothing: there is nothing to deploy, or it is being done
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
