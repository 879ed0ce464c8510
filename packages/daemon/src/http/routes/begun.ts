import type { Deployment } from '@davit/api';
import type { Reply } from '../bind.ts';

/**
 * A deployment that was asked for: who waited gets the record as it ended; who did not, where to look.
 * @param body the record, unless the answer says more
 */
export function begun(deployment: Deployment, waited = false, body: unknown = deployment): Reply {
  const location = `/api/apps/${deployment.app}/deployments/${deployment.id}`;
  return { status: waited ? 200 : 202, body, headers: { location } };
}
