import type { Client, Deployment } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';

/** Number of deployments to search. The newest one is not enough, because a push can start another deployment. */
const RECENT = '10';

interface Changed<T> {
  answer: T;
  /** Deployment that the instance started because the number of replicas changed. `null` if there is none. */
  started: Deployment | null;
}

/**
 * Runs a change that can change the number of replicas of an app. The instance then starts a deployment automatically,
 * which is not in the response.
 * @param change sends the request
 */
export async function withScaleDeployment<T>(
  client: Client,
  { project, environment, app }: AppParams,
  change: () => Promise<T>,
): Promise<Changed<T>> {
  const params = { project, environment, app };
  const [newest] = await client.listDeployments({ params, query: { limit: '1' } });
  const answer = await change();
  const recent = await client.listDeployments({ params, query: { limit: RECENT } });
  const started = recent.find(({ id, trigger }) => id > (newest?.id ?? 0) && trigger.kind === 'scale');
  return { answer, started: started ?? null };
}
