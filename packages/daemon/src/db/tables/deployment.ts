import { DEPLOYMENT_STATUSES, isTerminal, type Trigger } from '@davit/api';
import { columnsOf, orNull, type Row, required, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const DEPLOYMENT = selectFrom(
  'deployments',
  'id, app_id, tag, image, image_id, digest, port, healthcheck, status, phase, revision, trigger_kind, trigger_by, trigger_via, rollback_of, promoted_app, promoted_project, promoted_deployment, superseded_by, cancel_asked, error, error_code, image_missing_since, log, created_at, started_at, finished_at',
);

export type DeploymentRow = Row<typeof DEPLOYMENT>;

const LAST = selectFrom('deployments', 'id, app_id, status, error_code');

/** Newest deployment of an app, as a summary. */
export type LastDeploymentRow = Row<typeof LAST>;

const ID = selectFrom('deployments', 'id');
const NEWEST = select({ id: orNull(sql.integer('max(id)')) });
const PROMOTED = select({ promoted_app: required(columnsOf('deployments').promoted_app) });

const unfinished = DEPLOYMENT_STATUSES.filter((status) => !isTerminal(status));

/**
 * SQL condition for unfinished deployments. Do not change this text. SQLite uses the index `deployments_open` only for
 * exactly this text.
 */
export const UNFINISHED = `status IN ('${unfinished.join("', '")}')`;

export function deploymentById(db: Reader, id: number): DeploymentRow | undefined {
  return db.get(DEPLOYMENT.from('deployments WHERE id = ?'), id);
}

/**
 * Returns the deployments of an app, newest first.
 * @param before only deployments with a lower id are returned. `null` means no limit.
 */
export function deploymentsOfApp(
  db: Reader,
  appId: number,
  limit: number,
  before: number | null = null,
): DeploymentRow[] {
  return db.all(
    DEPLOYMENT.from('deployments WHERE app_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    appId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

/** Returns the newest deployment of an app, or `undefined` if the app has no deployment. */
export function lastDeploymentOfApp(db: Reader, appId: number): LastDeploymentRow | undefined {
  return db.get(LAST.from('deployments WHERE app_id = ? ORDER BY id DESC LIMIT 1'), appId);
}

/**
 * Returns the newest deployment of each app. For each app, the subquery reads only one entry of the index
 * `deployments_app`. Older deployments therefore do not slow down the query.
 */
export function lastDeployments(db: Reader): LastDeploymentRow[] {
  return db.all(
    LAST.from(
      `deployments WHERE id IN
         (SELECT (SELECT d.id FROM deployments d WHERE d.app_id = a.id ORDER BY d.id DESC LIMIT 1) FROM apps a)`,
    ),
  );
}

/** Returns the id of the newest deployment on the instance, or 0 if there is none. */
export function lastDeploymentId(db: Reader): number {
  return db.get(NEWEST.from('deployments'))?.id ?? 0;
}

/** Returns the unfinished deployments of all apps, oldest first. */
export function openDeployments(db: Reader): DeploymentRow[] {
  return db.all(DEPLOYMENT.from(`deployments WHERE ${UNFINISHED} ORDER BY id`));
}

export function openDeploymentsOfApp(db: Reader, appId: number): DeploymentRow[] {
  return db.all(DEPLOYMENT.from(`deployments WHERE app_id = ? AND ${UNFINISHED} ORDER BY id`), appId);
}

/** Returns the newest successful deployments of an app. An app can be rolled back to these deployments. */
export function succeededDeployments(db: Reader, appId: number, limit: number): DeploymentRow[] {
  return db.all(
    DEPLOYMENT.from(`deployments WHERE app_id = ? AND status = 'succeeded' ORDER BY id DESC LIMIT ?`),
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

/** App and deployment from which an image was promoted. A promotion deploys the image of one app to another app. */
export interface PromotedFrom {
  /** Name of the app as `project/environment/app`. */
  app: string;
  projectId: number;
  deployment: number;
}

export function insertDeployment(tx: Tx, d: NewDeployment): number {
  const id = insert(tx, 'deployments', {
    app_id: d.appId,
    tag: d.tag,
    image: d.image,
    image_id: d.imageId,
    digest: d.digest,
    status: 'pending',
    revision: d.revision,
    trigger_kind: d.trigger.kind,
    trigger_by: d.trigger.by,
    trigger_via: d.trigger.via,
    rollback_of: d.rollbackOf,
    promoted_app: d.promotedFrom?.app ?? null,
    promoted_project: d.promotedFrom?.projectId ?? null,
    promoted_deployment: d.promotedFrom?.deployment ?? null,
    created_at: d.at,
  });
  tx.event({ kind: 'deployment', appId: d.appId, deploymentId: id, data: { status: 'pending' } });
  return id;
}

/**
 * Returns the name of the app from which this image was last promoted to the given app, as `project/environment/app`.
 * Returns `undefined` if no stored deployment promoted this image.
 */
export function promotedFromApp(db: Reader, appId: number, digest: string): string | undefined {
  return db.get(
    PROMOTED.from(`deployments WHERE app_id = ? AND digest = ? AND promoted_app IS NOT NULL ORDER BY id DESC LIMIT 1`),
    appId,
    digest,
  )?.promoted_app;
}

/**
 * Returns the id of an unfinished deployment that is a rollback to the given deployment or a promotion of its image.
 * Returns `undefined` if there is no such deployment.
 */
export function openDeploymentFrom(db: Reader, id: number): number | undefined {
  return db.get(
    ID.from(`deployments WHERE ${UNFINISHED} AND (rollback_of = ?1 OR promoted_deployment = ?1) ORDER BY id LIMIT 1`),
    id,
  )?.id;
}
