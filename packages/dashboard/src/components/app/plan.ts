import type { App, DeployInput, Deployment, DeployPlan, RollbackInput } from '@davit/api';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { appPath } from '../../paths.ts';

/** Request that the confirm button of the dialog sends. The request starts a deployment or a rollback. */
export type DeploymentRequest =
  | { operation: 'deployApp'; body: DeployInput }
  | { operation: 'rollbackApp'; body: RollbackInput };

/**
 * Loads the plan (preview) of a deployment or rollback. Loads the plan again when the app's live release or settings
 * change.
 */
export function usePlan(app: App, request: DeploymentRequest | null, isSettled: boolean): UseQueryResult<DeployPlan> {
  const { project, environment, app: name } = appPath(app.reference);
  const params = { project, environment, app: name };
  const dry = { dry_run: 'true' } as const;
  return useQuery({
    queryKey: [
      request?.operation ?? 'deployApp',
      params,
      { ...dry, ...request?.body },
      app.live_deployment,
      app.revision,
    ],
    queryFn: async ({ signal }) => planOf(await fetchPlan(request, { params, query: dry, signal })),
    // After the user has started the deployment, the plan is no longer needed.
    enabled: request !== null && !isSettled,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

interface How {
  params: { project: string; environment: string; app: string };
  query: { dry_run: 'true' };
  signal: AbortSignal;
}

function fetchPlan(request: DeploymentRequest | null, how: How): Promise<Deployment | DeployPlan> {
  if (request?.operation === 'rollbackApp') return api.rollbackApp({ ...how, body: request.body });
  return api.deployApp({ ...how, body: request?.body ?? {} });
}

function planOf(answer: Deployment | DeployPlan): DeployPlan {
  if ('id' in answer)
    throw new Error('The instance started a deployment instead of returning a preview. Reload the page.');
  return answer;
}
