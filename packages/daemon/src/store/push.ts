import type { DeploymentRow } from './deployment.ts';
import type { Reader, Tx } from './store.ts';

/**
 * `deployed`: a deployment was asked for, or there was one. `recorded`: it is there to be deployed. `refused`: it cannot be
 * deployed as things are. `waiting`: it is tried again.
 */
export type PushOutcome = 'deployed' | 'recorded' | 'refused' | 'waiting';

/** What was last pushed to a tag, and what became of it. */
export interface PushRow {
  app_id: number;
  tag: string;
  digest: string;
  /** The account; null where nobody told. */
  pushed_by: string | null;
  at: number;
  outcome: PushOutcome;
  /** A sentence; null for nothing to say. */
  reason: string | null;
}

const COLUMNS = 'app_id, tag, digest, pushed_by, at, outcome, reason';

export function pushOf(db: Reader, appId: number, tag: string): PushRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM pushes WHERE app_id = ? AND tag = ?`, appId, tag);
}

export function pushesOfApp(db: Reader, appId: number): PushRow[] {
  return db.all(`SELECT ${COLUMNS} FROM pushes WHERE app_id = ?`, appId);
}

/** Those that are tried again, with the reference of their app. */
export function waitingPushes(db: Reader): (PushRow & { app: string })[] {
  return db.all(
    `SELECT ${COLUMNS.replace(/\w+/g, 'w.$&')}, p.slug || '/' || e.slug || '/' || a.name AS app
       FROM pushes w JOIN apps a ON a.id = w.app_id JOIN environments e ON e.id = a.environment_id
       JOIN projects p ON p.id = e.project_id
      WHERE w.outcome = 'waiting' AND a.deleted_at IS NULL ORDER BY w.at`,
  );
}

/** Puts it in the place of what the tag was before, and tells of it. */
export function recordPush(tx: Tx, row: PushRow): void {
  tx.run(
    `INSERT INTO pushes (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
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

/** For a tag that the registry has no more. */
export function forgetPush(tx: Tx, appId: number, tag: string): void {
  tx.run('DELETE FROM pushes WHERE app_id = ? AND tag = ?', appId, tag);
}

/** The newest deployment of an app that was asked for with this tag and this image. */
export function newestDeploymentOf(
  db: Reader,
  appId: number,
  { tag, digest }: { tag: string; digest: string },
): Pick<DeploymentRow, 'status' | 'superseded_by' | 'finished_at'> | undefined {
  return db.get(
    `SELECT status, superseded_by, finished_at FROM deployments
      WHERE app_id = ? AND digest = ? AND tag = ? ORDER BY id DESC LIMIT 1`,
    appId,
    digest,
    tag,
  );
}

/** An app that is pushed to. */
export interface PushedApp {
  id: number;
  reference: string;
  created_at: number;
}

/** Every one of them, by number. */
export function pushedApps(db: Reader): PushedApp[] {
  return db.all(
    `SELECT a.id, p.slug || '/' || e.slug || '/' || a.name AS reference, a.created_at
       FROM apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
      WHERE a.deleted_at IS NULL AND json_extract(a.spec, '$.source') = 'registry' ORDER BY a.id`,
  );
}
