import type { Deployment } from '@davit/api';
import type { Reply } from '../bind.ts';

/**
 * Returns the response for a started deployment. The status is 202, or 200 if the request waited until the deployment
 * ended.
 * @param body default: the deployment
 */
export function begun(deployment: Deployment, waited = false, body: unknown = deployment): Reply {
  const location = `/api/apps/${deployment.app}/deployments/${deployment.id}`;
  return { status: waited ? 200 : 202, body, headers: { location } };
}
