import type { Planned } from '@davit/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';

/** Unsaved change of app settings or variables that would cause a deployment. */
export interface PlannedChange {
  /** TanStack Query key of the deployment plan: API operation, parameters and request body of the change. */
  key: readonly unknown[];
  /** Sends the unsaved change with `dry_run=true`. The API then returns the deployment plan and changes nothing. */
  ask: (signal: AbortSignal) => Promise<Planned>;
}

/**
 * Fetches the deployment plan of an unsaved change. Fetches the plan again when `change.key` changes. If `change` is
 * `null`, no plan is fetched.
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
