import { type AppSpec, appReference, isTerminal } from '@davit/api';
import { columnsOf, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';
import { storedSpec } from './app-spec.ts';
import { type DeploymentRow, deploymentById } from './deployment.ts';

const APP = selectFrom('apps', 'live_deployment, spec');
const DEPLOYMENT = selectFrom('deployments', 'id');
const IMAGE = selectFrom('deployments', 'id, image, digest');
const APP_LOCATION = select({
  name: columnsOf('apps', 'a').name,
  eid: columnsOf('environments', 'e').id,
  environment: columnsOf('environments', 'e').slug,
  pid: columnsOf('projects', 'p').id,
  project: columnsOf('projects', 'p').slug,
});

/** Returns the live (current) deployment of an app, or `undefined` if the app was never deployed. */
export function liveOf(db: Reader, appId: number): DeploymentRow | undefined {
  const id = db.get(APP.from('apps WHERE id = ?'), appId)?.live_deployment ?? null;
  return id === null ? undefined : deploymentById(db, id);
}

/**
 * Returns the deployment that a rollback restores by default. This is the newest successful deployment before the live
 * deployment that has another image, tag or revision.
 */
export function releaseBefore(db: Reader, appId: number): number | undefined {
  const live = liveOf(db, appId);
  if (!live) return undefined;
  return db.get(
    DEPLOYMENT.from(
      `deployments WHERE app_id = ? AND id < ? AND status = 'succeeded'
         AND (digest IS NOT ? OR revision <> ? OR tag <> ?) ORDER BY id DESC LIMIT 1`,
    ),
    appId,
    live.id,
    live.digest,
    live.revision,
    live.tag,
  )?.id;
}

/**
 * Makes a deployment the live (current) deployment of its app. Also marks the app as not stopped, and publishes an
 * event.
 */
export function setLive(tx: Tx, appId: number, deploymentId: number): void {
  update(tx, 'apps', appId, { live_deployment: deploymentId, stopped: 0 });
  tx.event({ kind: 'app', appId, deploymentId, data: { change: 'live', live: deploymentId } });
}

/** App with the ids and names of its project and environment. */
export interface ReleaseApp {
  id: number;
  name: string;
  /** Name of the app as `project/environment/app`. */
  reference: string;
  project: { id: number; slug: string };
  environment: { id: number; slug: string };
}

/**
 * Returns an app by its id, even if the app is marked as deleted. Davit needs the data of deleted apps to remove their
 * containers.
 */
export function appOfRelease(db: Reader, appId: number): ReleaseApp | undefined {
  const row = db.get(
    APP_LOCATION.from(
      'apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id WHERE a.id = ?',
    ),
    appId,
  );
  return (
    row && {
      id: appId,
      name: row.name,
      reference: appReference(row.project, row.environment, row.name),
      project: { id: row.pid, slug: row.project },
      environment: { id: row.eid, slug: row.environment },
    }
  );
}

/** Returns whether an app exists and is not marked as deleted. */
export function isAlive(db: Reader, appId: number): boolean {
  return db.exists('SELECT 1 FROM apps WHERE id = ? AND deleted_at IS NULL', appId);
}

/**
 * Returns whether Davit must keep the image of a deployment. This is the case if the deployment is unfinished, or if
 * its image is one of {@link neededImages}.
 */
export function needsImage(db: Reader, deploymentId: number, keep: number): boolean {
  const row = deploymentById(db, deploymentId);
  if (!row) return false;
  return !isTerminal(row.status) || neededImages(db, row.app_id, keep).some(({ id }) => id === row.id);
}

/**
 * Returns the images that Davit keeps for an app. These are the image of the live deployment, and the images of the
 * newest `keep` other successful deployments for rollbacks.
 */
export function neededImages(db: Reader, appId: number, keep: number): Row<typeof IMAGE>[] {
  const live = liveOf(db, appId);
  const others = db.all(
    IMAGE.from("deployments WHERE app_id = ? AND status = 'succeeded' AND id IS NOT ? ORDER BY id DESC LIMIT ?"),
    appId,
    live?.id ?? null,
    keep,
  );
  return live === undefined ? others : [live, ...others];
}

/**
 * Returns whether a user stopped the app. A stopped app still has a live deployment, but no replica may run until the
 * app is started.
 */
export function isStopped(db: Reader, appId: number): boolean {
  return db.exists('SELECT 1 FROM apps WHERE id = ? AND stopped = 1', appId);
}

/**
 * Marks an app as stopped and publishes an event. Until the next successful deployment of the app, no replica may run.
 */
export function setStopped(tx: Tx, appId: number, at: number): void {
  update(tx, 'apps', appId, { stopped: 1, updated_at: at });
  tx.event({ kind: 'app', appId, data: { change: 'stopped' } });
}

/**
 * Returns whether replicas of this deployment should run. This is the case if the deployment is live, and its app is
 * neither stopped nor deleted.
 */
export function isWanted(db: Reader, appId: number, deploymentId: number): boolean {
  const sql = 'SELECT 1 FROM apps WHERE id = ? AND live_deployment = ? AND stopped = 0 AND deleted_at IS NULL';
  return db.exists(sql, appId, deploymentId);
}

/** Returns the current settings of an app, even if the app is marked as deleted. */
export function appSpec(db: Reader, appId: number): AppSpec | undefined {
  const row = db.get(APP.from('apps WHERE id = ?'), appId);
  return row && storedSpec(row.spec);
}
