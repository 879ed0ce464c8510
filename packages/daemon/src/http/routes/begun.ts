import type { Deployment } from '@davit/api';
import type { Reply } from '../bind.ts';

/**
 * Returns the response for a requested deployment. A client that waited gets the final record. Other clients get the
 * location of the deployment.
 * @param body body of the response. Default: the record
 */
export function begun(deployment: Deployment, waited = false, body: unknown = deployment): Reply {
  const location = `/api/apps/${deployment.app}/deployments/${deployment.id}`;
  return { status: waited ? 200 : 202, body, headers: { location } };
}
