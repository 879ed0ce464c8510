/** Functions that change the status of a deployment, from its creation (`pending`) to its end. */
import { type DeploymentPhase, type DeploymentProblemCode, type DeploymentStatus, predecessors } from '@davit/api';
import { selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';
import type { DeploymentRow } from './deployment.ts';

export interface Ending {
  at: number;
  error?: string | null;
  log?: string[] | null;
  supersededBy?: number | null;
}

/**
 * Changes the status of a deployment. All code must use this function to change the status. Otherwise, a late success
 * could overwrite a cancellation.
 * @returns whether the status was changed
 */
export function moveDeployment(
  tx: Tx,
  d: { id: number; app_id: number },
  to: DeploymentStatus,
  ending: Ending,
): boolean {
  const from = predecessors(to);
  const running = to === 'running';
  const { changes } = tx.run(
    `UPDATE deployments SET status = ?, phase = ?, started_at = CASE WHEN ? THEN ? ELSE started_at END,
       finished_at = CASE WHEN ? THEN NULL ELSE ? END, error = ?, log = coalesce(?, log), superseded_by = ?
     WHERE id = ? AND status IN (${from.map(() => '?').join(', ')})`,
    to,
    running ? 'resolving' : null,
    running ? 1 : 0,
    ending.at,
    running ? 1 : 0,
    ending.at,
    ending.error ?? null,
    ending.log ? JSON.stringify(ending.log) : null,
    ending.supersededBy ?? null,
    d.id,
    ...from,
  );
  if (changes > 0) {
    const data = { status: to, ...(ending.error && { error: ending.error }) };
    tx.event({ kind: 'deployment', appId: d.app_id, deploymentId: d.id, data });
  }
  return changes > 0;
}

/**
 * Starts the next phase of a running deployment. If a user has requested a cancellation, the phase `switching` does not
 * start.
 * @returns whether the phase started
 */
export function enterPhase(tx: Tx, d: { id: number; app_id: number }, phase: DeploymentPhase): boolean {
  const { changes } = tx.run(
    "UPDATE deployments SET phase = ? WHERE id = ? AND status = 'running' AND (? <> 'switching' OR cancel_asked = 0)",
    phase,
    d.id,
    phase,
  );
  if (changes > 0)
    tx.event({ kind: 'deployment', appId: d.app_id, deploymentId: d.id, data: { status: 'running', phase } });
  return changes > 0;
}

/**
 * Requests the cancellation of a running deployment.
 * @returns `false` in the phase `switching`, because requests already go to the new release
 */
export function requestCancelOfDeployment(tx: Tx, id: number): boolean {
  const sql = "UPDATE deployments SET cancel_asked = 1 WHERE id = ? AND status = 'running' AND phase <> 'switching'";
  return tx.run(sql, id).changes > 0;
}

export interface ResolvedImage {
  imageId: string;
  digest: string;
  port: number | null;
  healthcheck: boolean;
}

export function setResolved(tx: Tx, id: number, image: ResolvedImage): void {
  update(tx, 'deployments', id, {
    image_id: image.imageId,
    digest: image.digest,
    port: image.port,
    healthcheck: image.healthcheck ? 1 : 0,
  });
}

export function setLog(tx: Tx, id: number, log: string[]): void {
  update(tx, 'deployments', id, { log: JSON.stringify(log) });
}

/**
 * Records why a running deployment fails. Call this function before the rollback. A restarted daemon then finds the
 * reason and continues the rollback.
 */
export function setFailing(
  tx: Tx,
  id: number,
  { message, code, lines: log }: { message: string; code: DeploymentProblemCode | null; lines: string[] },
): void {
  const lines = log.length > 0 ? JSON.stringify(log) : null;
  tx.run(
    "UPDATE deployments SET error = ?, error_code = ?, log = coalesce(?, log) WHERE id = ? AND status = 'running'",
    message,
    code,
    lines,
    id,
  );
}

/**
 * Copies the image and settings of the live deployment to a starting deployment. Call this function when the deployment
 * starts, because another deployment may have become live since the request.
 */
export function takeOverRelease(
  tx: Tx,
  id: number,
  live: Pick<DeploymentRow, 'tag' | 'image' | 'image_id' | 'digest' | 'revision'>,
): void {
  update(tx, 'deployments', id, {
    tag: live.tag,
    image: live.image,
    image_id: live.image_id,
    digest: live.digest,
    revision: live.revision,
  });
}

const RELEASE = selectFrom('deployments', 'release_limits');

/**
 * Returns the CPU, memory and process limits of the release command's container, as JSON. `null` if no such container
 * exists.
 */
export function releaseLimits(db: Reader, id: number): string | null {
  return db.get(RELEASE.from('deployments WHERE id = ?'), id)?.release_limits ?? null;
}

/**
 * Stores the limits of the release command's container, as JSON. The quota use of the project includes these limits
 * until the container is removed.
 */
export function setReleaseLimits(tx: Tx, id: number, limits: string | null): void {
  update(tx, 'deployments', id, { release_limits: limits });
}
