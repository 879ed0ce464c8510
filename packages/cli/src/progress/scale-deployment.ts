import type { Client, Deployment } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';

/**
 * Number of newest deployments in which the CLI searches. Several deployments are necessary, because a push can start
 * another deployment.
 */
const RECENT = '10';

interface Changed<T> {
  answer: T;
  /**
   * Deployment that the instance started because the number of replicas changed. `null` if the instance started no
   * deployment.
   */
  started: Deployment | null;
}

/**
 * Runs a change that can change the number of replicas of an app, and then finds the resulting deployment. The instance
 * starts this deployment automatically, so the response does not contain it.
 * @param change function that sends the request
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
