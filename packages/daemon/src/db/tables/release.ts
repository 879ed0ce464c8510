import { type AppSpec, appReference, isTerminal } from '@davit/api';
import { columnsOf, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';
import { storedSpec } from './app-spec.ts';
import { type DeploymentRow, deploymentById } from './deployment.ts';

const APP = selectFrom('apps', 'live_deployment, spec');
const DEPLOYMENT = selectFrom('deployments', 'id');
const IMAGE = selectFrom('deployments', 'image, digest');
const NEWER = select({ id: columnsOf('deployments', 'd').id });
const PLACE = select({
  name: columnsOf('apps', 'a').name,
  eid: columnsOf('environments', 'e').id,
  environment: columnsOf('environments', 'e').slug,
  pid: columnsOf('projects', 'p').id,
  project: columnsOf('projects', 'p').slug,
});

/** The deployment that is live for an app; undefined when none has ever been. */
export function liveOf(db: Reader, appId: number): DeploymentRow | undefined {
  const id = db.get(APP.from('apps WHERE id = ?'), appId)?.live_deployment ?? null;
  return id === null ? undefined : deploymentById(db, id);
}

/**
 * The release to go back to by default: the newest before the live one that ran something else. A restart or a scaling
 * of the same image and settings is not what a person means by «the one before».
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

/** From now on this deployment is what the app runs. */
export function setLive(tx: Tx, appId: number, deploymentId: number): void {
  update(tx, 'apps', appId, { live_deployment: deploymentId, stopped: 0 });
  tx.event({ kind: 'app', appId, deploymentId, data: { change: 'live', live: deploymentId } });
}

/** Which app something belongs to, with the names that lead to it. */
export interface ReleaseApp {
  id: number;
  name: string;
  /** `project/environment/app`. */
  reference: string;
  project: { id: number; slug: string };
  environment: { id: number; slug: string };
}

/** An app by its number, marked deleted or not: what is being deleted still has to be cleaned up after. */
export function appOfRelease(db: Reader, appId: number): ReleaseApp | undefined {
  const row = db.get(
    PLACE.from(
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

/** Whether an app is there and not marked deleted. */
export function isAlive(db: Reader, appId: number): boolean {
  return db.exists('SELECT 1 FROM apps WHERE id = ? AND deleted_at IS NULL', appId);
}

/**
 * Whether a deployment's image must stay: it is unfinished, live, or among the newest `keep` of its app that succeeded,
 * the live one not counted.
 */
export function needsImage(db: Reader, deploymentId: number, keep: number): boolean {
  const row = deploymentById(db, deploymentId);
  if (!row) return false;
  if (!isTerminal(row.status)) return true;
  if (row.status !== 'succeeded') return false;
  if (liveOf(db, row.app_id)?.id === row.id) return true;
  const newer = db.all(
    NEWER.from(
      `deployments d JOIN apps a ON a.id = d.app_id
        WHERE d.app_id = ? AND d.id > ? AND d.status = 'succeeded' AND d.id IS NOT a.live_deployment LIMIT ?`,
    ),
    row.app_id,
    row.id,
    keep,
  );
  return newer.length < keep;
}

/** The images of an app's live release and of the newest `keep` that can be gone back to besides. */
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

/** Whether an app was stopped by hand: its live release is what a start brings back, and nothing of it shall run. */
export function isStopped(db: Reader, appId: number): boolean {
  return db.exists('SELECT 1 FROM apps WHERE id = ? AND stopped = 1', appId);
}

/** From now on nothing of the app shall run, until a deployment of it succeeds. */
export function setStopped(tx: Tx, appId: number, at: number): void {
  update(tx, 'apps', appId, { stopped: 1, updated_at: at });
  tx.event({ kind: 'app', appId, data: { change: 'stopped' } });
}

/** Whether an app is meant to run this release now. */
export function isWanted(db: Reader, appId: number, deploymentId: number): boolean {
  const sql = 'SELECT 1 FROM apps WHERE id = ? AND live_deployment = ? AND stopped = 0 AND deleted_at IS NULL';
  return db.exists(sql, appId, deploymentId);
}

/** The settings of an app as they are now, marked deleted or not. */
export function appSpec(db: Reader, appId: number): AppSpec | undefined {
  const row = db.get(APP.from('apps WHERE id = ?'), appId);
  return row && storedSpec(row.spec);
}
