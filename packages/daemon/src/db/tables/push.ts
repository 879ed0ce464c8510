import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { APP_REFERENCE } from './app-reference.ts';

const PUSH = selectFrom('pushes', 'app_id, tag, digest, pushed_by, at, outcome, reason');

/** Last image push to a tag of an app, with the outcome of the push. */
export type PushRow = Row<typeof PUSH>;

/**
 * Outcome of an image push. `deployed`: a deployment was requested, or already existed. `recorded`: the image is not
 * deployed automatically, but users can deploy it. This outcome also applies to a tag that is not an image. `refused`:
 * the current settings of the app do not allow a deployment of the image. `waiting`: the daemon tries to deploy the
 * image later, unless a user deploys or stops the app in the meantime. `unauthorized`: the user or API key lost its
 * permissions before the push ended, so the image cannot be deployed.
 */
export type PushOutcome = PushRow['outcome'];

const WAITING = select({ ...columnsOf('pushes', 'w'), app: APP_REFERENCE });
const END = selectFrom('deployments', 'status, superseded_by, finished_at');
const APP = select({ ...pick(columnsOf('apps', 'a'), 'id, created_at'), reference: APP_REFERENCE });

export function pushOf(db: Reader, appId: number, tag: string): PushRow | undefined {
  return db.get(PUSH.from('pushes WHERE app_id = ? AND tag = ?'), appId, tag);
}

export function pushesOfApp(db: Reader, appId: number): PushRow[] {
  return db.all(PUSH.from('pushes WHERE app_id = ?'), appId);
}

/**
 * Returns the image pushes with the outcome `waiting` and the names of their apps, oldest first.
 * @param projects ids of the projects, or `null` for all projects
 */
export function waitingPushes(db: Reader, projects: readonly number[] | null = null): Row<typeof WAITING>[] {
  return db.all(
    WAITING.from(
      `pushes w JOIN apps a ON a.id = w.app_id JOIN environments e ON e.id = a.environment_id
         JOIN projects p ON p.id = e.project_id
        WHERE w.outcome = 'waiting' AND a.deleted_at IS NULL
          AND (?1 IS NULL OR p.id IN (SELECT value FROM json_each(?1))) ORDER BY w.at`,
    ),
    projects === null ? null : JSON.stringify(projects),
  );
}

/** Returns the pushed tags of an app that are not container images. Omits the newest `kept` tags. */
export function artifactTagsBeyond(db: Reader, appId: number, kept: number): PushRow[] {
  const isRelease = 'SELECT 1 FROM release_tags t WHERE t.app_id = pushes.app_id AND t.tag = pushes.tag';
  return db.all(
    PUSH.from(`pushes WHERE app_id = ? AND NOT EXISTS (${isRelease}) ORDER BY at DESC, tag LIMIT -1 OFFSET ?`),
    appId,
    kept,
  );
}

/** Records an image push and publishes an event. The row of an earlier push to the same tag is replaced. */
export function recordPush(tx: Tx, row: PushRow): void {
  tx.run(
    `INSERT INTO pushes (app_id, tag, digest, pushed_by, at, outcome, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (app_id, tag) DO UPDATE SET digest = excluded.digest, pushed_by = excluded.pushed_by,
       at = excluded.at, outcome = excluded.outcome, reason = excluded.reason`,
    row.app_id,
    row.tag,
    row.digest,
    row.pushed_by,
    row.at,
    row.outcome,
    row.reason,
  );
  tx.event({ kind: 'app', appId: row.app_id, data: { change: 'pushed', tag: row.tag, outcome: row.outcome } });
}

/** Request that ends the retries of waiting pushes: a newer deployment, or a stop of the app. */
export interface NewerRequest {
  /** Sentence that explains why Davit no longer deploys the images of the waiting pushes. */
  reason: string;
  /** Image of the newer deployment. `null` if the app was stopped. */
  image: { tag: string; digest: string | null } | null;
  at: number;
}

/** Ends the retries of all waiting pushes of an app. Their images stay in the registry, and users can deploy them. */
export function dropWaitingPushes(tx: Tx, appId: number, { reason, image, at }: NewerRequest): void {
  for (const row of tx.all(PUSH.from("pushes WHERE app_id = ? AND outcome = 'waiting'"), appId)) {
    const isDeployed = image?.tag === row.tag && image.digest === row.digest;
    const result = isDeployed
      ? ({ outcome: 'deployed', reason: null } as const)
      : ({ outcome: 'recorded', reason } as const);
    recordPush(tx, { ...row, at, ...result });
  }
}

/** Deletes the row of an image push whose tag no longer exists in the registry. */
export function forgetPush(tx: Tx, appId: number, tag: string): void {
  tx.run('DELETE FROM pushes WHERE app_id = ? AND tag = ?', appId, tag);
}

/** Returns the newest deployment of an app with this tag and this image digest. */
export function newestDeploymentOf(
  db: Reader,
  appId: number,
  { tag, digest }: { tag: string; digest: string },
): Row<typeof END> | undefined {
  return db.get(
    END.from('deployments WHERE app_id = ? AND digest = ? AND tag = ? ORDER BY id DESC LIMIT 1'),
    appId,
    digest,
    tag,
  );
}

/** App whose images are pushed to the instance's own registry. */
export type PushedApp = Row<typeof APP>;

/** Returns the apps whose images are pushed to the instance's own registry, sorted by id. */
export function pushedApps(db: Reader): PushedApp[] {
  return db.all(
    APP.from(
      `apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
        WHERE a.deleted_at IS NULL AND json_extract(a.spec, '$.source') = 'registry' ORDER BY a.id`,
    ),
  );
}
