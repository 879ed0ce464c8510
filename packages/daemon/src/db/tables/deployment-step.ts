import type { DeploymentEvent } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const STEP = selectFrom('deployment_steps', 'name, started_at, finished_at, error');

export type StepRow = Row<typeof STEP>;

const STATE = selectFrom('deployments', 'status, phase');

export function stepsOfDeployment(db: Reader, deploymentId: number): StepRow[] {
  return db.all(STEP.from('deployment_steps WHERE deployment_id = ? ORDER BY seq'), deploymentId);
}

/** Starts a step of a deployment and publishes an event. If the step has started before, its row is updated. */
export function startStep(tx: Tx, deploymentId: number, name: string, at: number): void {
  const again = tx.run(
    'UPDATE deployment_steps SET finished_at = NULL, error = NULL WHERE deployment_id = ? AND name = ?',
    deploymentId,
    name,
  );
  publishStep(tx, deploymentId, { name, state: 'started' });
  if (again.changes > 0) return;
  const next = '(SELECT coalesce(max(seq), 0) + 1 FROM deployment_steps WHERE deployment_id = ?)';
  tx.run(
    `INSERT INTO deployment_steps (deployment_id, seq, name, started_at) VALUES (?, ${next}, ?, ?)`,
    deploymentId,
    deploymentId,
    name,
    at,
  );
}

export function finishStep(tx: Tx, deploymentId: number, name: string, at: number, error: string | null = null): void {
  tx.run(
    'UPDATE deployment_steps SET finished_at = ?, error = ? WHERE deployment_id = ? AND name = ?',
    at,
    error,
    deploymentId,
    name,
  );
  publishStep(tx, deploymentId, { name, state: error === null ? 'finished' : 'failed' });
}

function publishStep(tx: Tx, deploymentId: number, step: NonNullable<DeploymentEvent['step']>): void {
  const now = tx.get(STATE.from('deployments WHERE id = ?'), deploymentId);
  if (now !== undefined) tx.event({ kind: 'deployment', deploymentId, data: { ...now, step } });
}
