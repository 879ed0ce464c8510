import { can, DavitError, isTerminal } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import { moveDeployment, requestCancelOfDeployment } from '../../db/tables/deployment-life.ts';

/**
 * Cancels a pending deployment, or requests the cancellation of a running deployment.
 * @throws DavitError conflict if the deployment has ended or is switching traffic
 */
export function callOff(tx: Tx, row: DeploymentRow, reason: string, at: number): void {
  if (!can.cancel(row)) throw new DavitError('conflict', whyNotCancelled(row));
  if (row.status === 'pending') moveDeployment(tx, row, 'cancelled', { at, error: reason });
  else if (!requestCancelOfDeployment(tx, row.id)) throw new DavitError('conflict', whyNotCancelled(row));
}

function whyNotCancelled({ id, status }: DeploymentRow): string {
  if (status === 'cancelled') return `Deployment ${id} was already canceled.`;
  if (isTerminal(status)) return `Deployment ${id} cannot be canceled, because it has already ${status}.`;
  return `Deployment ${id} cannot be canceled while it switches the traffic. Wait until it has ended, then roll back.`;
}
