import {
  DEPLOYMENT_STATUSES,
  type DeploymentPhase,
  type DeploymentStatus,
  isTerminal,
  predecessors,
  type Trigger,
  type Via,
} from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface DeploymentRow {
  id: number;
  app_id: number;
  tag: string;
  image: string;
  image_id: string | null;
  digest: string | null;
  /** The port its instances listen on, once the image is known; null for a worker. */
  port: number | null;
  /** The image has a HEALTHCHECK. */
  healthcheck: number;
  status: DeploymentStatus;
  phase: DeploymentPhase | null;
  revision: number;
  trigger_kind: Trigger['kind'];
  trigger_by: string;
  trigger_via: Via;
  rollback_of: number | null;
  /** Of a promotion: the reference of the app, its project and the deployment whose image it took. */
  promoted_app: string | null;
  promoted_project: number | null;
  promoted_deployment: number | null;
  superseded_by: number | null;
  cancel_asked: number;
  error: string | null;
  log: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

const COLUMNS =
  'id, app_id, tag, image, image_id, digest, port, healthcheck, status, phase, revision, trigger_kind, trigger_by, trigger_via, rollback_of, promoted_app, promoted_project, promoted_deployment, superseded_by, cancel_asked, error, log, created_at, started_at, finished_at';

const unfinished = DEPLOYMENT_STATUSES.filter((status) => !isTerminal(status));

/** The condition of those that have not ended. An index is made for exactly this text. */
export const UNFINISHED = `status IN ('${unfinished.join("', '")}')`;

export function deploymentById(db: Reader, id: number): DeploymentRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM deployments WHERE id = ?`, id);
}

/** Newest first, those before a number when one is given. */
export function deploymentsOfApp(
  db: Reader,
  appId: number,
  limit: number,
  before: number | null = null,
): DeploymentRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM deployments WHERE app_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    appId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

/** The number of the newest one of all apps; 0 when there has been none. */
export function lastDeploymentId(db: Reader): number {
  return db.get<{ id: number | null }>('SELECT max(id) AS id FROM deployments')?.id ?? 0;
}

/** Everything that has not ended, oldest first. */
export function openDeployments(db: Reader): DeploymentRow[] {
  return db.all(`SELECT ${COLUMNS} FROM deployments WHERE ${UNFINISHED} ORDER BY id`);
}

export function openDeploymentsOfApp(db: Reader, appId: number): DeploymentRow[] {
  return db.all(`SELECT ${COLUMNS} FROM deployments WHERE app_id = ? AND ${UNFINISHED} ORDER BY id`, appId);
}

/** The newest deployments of an app that succeeded: what a rollback may go back to. */
export function succeededDeployments(db: Reader, appId: number, limit: number): DeploymentRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM deployments WHERE app_id = ? AND status = 'succeeded' ORDER BY id DESC LIMIT ?`,
    appId,
    limit,
  );
}

export interface NewDeployment {
  appId: number;
  tag: string;
  image: string;
  imageId: string | null;
  digest: string | null;
  revision: number;
  trigger: Trigger;
  rollbackOf: number | null;
  promotedFrom?: PromotedFrom | null;
  at: number;
}

/** Where a promotion took its image from. */
export interface PromotedFrom {
  /** `project/environment/app`. */
  app: string;
  projectId: number;
  deployment: number;
}

export function insertDeployment(tx: Tx, d: NewDeployment): number {
  const { id } = tx.run(
    `INSERT INTO deployments (app_id, tag, image, image_id, digest, status, revision, trigger_kind, trigger_by, trigger_via, rollback_of, promoted_app, promoted_project, promoted_deployment, created_at)
     VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    d.appId,
    d.tag,
    d.image,
    d.imageId,
    d.digest,
    d.revision,
    d.trigger.kind,
    d.trigger.by,
    d.trigger.via,
    d.rollbackOf,
    d.promotedFrom?.app ?? null,
    d.promotedFrom?.projectId ?? null,
    d.promotedFrom?.deployment ?? null,
    d.at,
  );
  tx.event({ kind: 'deployment', appId: d.appId, deploymentId: id, data: { status: 'pending' } });
  return id;
}

export interface Ending {
  at: number;
  error?: string | null;
  log?: string[] | null;
  supersededBy?: number | null;
}

/**
 * The one place where a deployment's status changes: applied only from a status that may precede it, so that a late
 * success cannot overwrite a cancel. Answers whether it applied.
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
 * Enters a phase, unless the deployment has ended or, for the phase that moves the traffic, a cancel was asked before.
 * Answers whether it applied.
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

/** Asks a running deployment to stop, unless its traffic is moving: answers whether it was in time. */
export function askCancel(tx: Tx, id: number): boolean {
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
  tx.run(
    'UPDATE deployments SET image_id = ?, digest = ?, port = ?, healthcheck = ? WHERE id = ?',
    image.imageId,
    image.digest,
    image.port,
    image.healthcheck ? 1 : 0,
    id,
  );
}

export function setLog(tx: Tx, id: number, log: string[]): void {
  tx.run('UPDATE deployments SET log = ? WHERE id = ?', JSON.stringify(log), id);
}

/** Notes why a running deployment is being undone, so that a restart goes on undoing it. */
export function setFailing(tx: Tx, id: number, error: string, log: string[]): void {
  const lines = log.length > 0 ? JSON.stringify(log) : null;
  tx.run(
    "UPDATE deployments SET error = ?, log = coalesce(?, log) WHERE id = ? AND status = 'running'",
    error,
    lines,
    id,
  );
}

/** For what shall run what is live when it begins, which need not be what was live when it was asked for. */
export function takeOverRelease(
  tx: Tx,
  id: number,
  live: Pick<DeploymentRow, 'tag' | 'image' | 'image_id' | 'digest' | 'revision'>,
): void {
  tx.run(
    'UPDATE deployments SET tag = ?, image = ?, image_id = ?, digest = ?, revision = ? WHERE id = ?',
    live.tag,
    live.image,
    live.image_id,
    live.digest,
    live.revision,
    id,
  );
}

/** An unfinished deployment that takes its image from this one; undefined when there is none. */
export function openDeploymentFrom(db: Reader, id: number): number | undefined {
  return db.get<{ id: number }>(
    `SELECT id FROM deployments WHERE ${UNFINISHED} AND (rollback_of = ?1 OR promoted_deployment = ?1)
     ORDER BY id LIMIT 1`,
    id,
  )?.id;
}
