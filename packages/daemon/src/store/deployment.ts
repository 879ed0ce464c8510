import {
  DEPLOYMENT_STATUSES,
  type DeploymentPhase,
  type DeploymentStatus,
  isTerminal,
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

/** An unfinished deployment that takes its image from this one; undefined when there is none. */
export function openDeploymentFrom(db: Reader, id: number): number | undefined {
  return db.get<{ id: number }>(
    `SELECT id FROM deployments WHERE ${UNFINISHED} AND (rollback_of = ?1 OR promoted_deployment = ?1)
     ORDER BY id LIMIT 1`,
    id,
  )?.id;
}
