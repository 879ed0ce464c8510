import { UNFINISHED } from './deployment.ts';
import type { Reader, Tx } from './store.ts';

export type MetricSubject = 'app' | 'database' | 'machine';

/** What was measured in one step. */
export interface MetricRow {
  /** The step's end, milliseconds since the epoch. */
  at: number;
  data: Uint8Array;
}

/** The steps of one length, oldest first. */
export function metricRows(db: Reader, subject: MetricSubject, stepS: number): MetricRow[] {
  return db.all('SELECT at, data FROM metrics WHERE subject = ? AND step_s = ? ORDER BY at', subject, stepS);
}

/** Replaces what there is of the same step: a clock that was set back goes through it again. */
export function writeMetricRow(tx: Tx, subject: MetricSubject, stepS: number, { at, data }: MetricRow): void {
  tx.run('INSERT OR REPLACE INTO metrics (subject, step_s, at, data) VALUES (?, ?, ?, ?)', subject, stepS, at, data);
}

/** Forgets the steps that end outside of a time, both ends kept. */
export function trimMetricRows(tx: Tx, subject: MetricSubject, stepS: number, oldest: number, newest: number): void {
  tx.run('DELETE FROM metrics WHERE subject = ? AND step_s = ? AND at < ?', subject, stepS, oldest);
  tx.run('DELETE FROM metrics WHERE subject = ? AND step_s = ? AND at > ?', subject, stepS, newest);
}

/** An instance that there is or may be a container of. */
export interface MeasuredInstance {
  app_id: number;
  container_id: string;
}

/** Every instance that takes something of the machine, those that start or retire included. */
export function measuredInstances(db: Reader): MeasuredInstance[] {
  return db.all(
    `SELECT app_id, container_id FROM instances
      WHERE container_id IS NOT NULL AND role <> 'gone' AND observed <> 'down'`,
  );
}

/** The same of databases; their numbers are their own, and none of an app. */
export function measuredDatabases(db: Reader): MeasuredInstance[] {
  return db.all(
    "SELECT id AS app_id, container_id FROM databases WHERE container_id IS NOT NULL AND deleted_at IS NULL AND observed <> 'down'",
  );
}

/** The deployments that have not ended. */
export function openDeployments(db: Reader): { status: string; count: number }[] {
  return db.all(`SELECT status, count(*) AS count FROM deployments WHERE ${UNFINISHED} GROUP BY status`);
}

/** Instances by what they are for and whether they run. */
export function instanceCounts(db: Reader): { role: string; observed: string; count: number }[] {
  return db.all("SELECT role, observed, count(*) AS count FROM instances WHERE role <> 'gone' GROUP BY role, observed");
}

/** The names that an app's metrics are labelled with. */
export function appLabels(
  db: Reader,
): { id: number; project_id: number; project: string; environment: string; app: string }[] {
  return db.all(
    `SELECT a.id, p.id AS project_id, p.slug AS project, e.slug AS environment, a.name AS app
       FROM apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
      WHERE a.deleted_at IS NULL AND EXISTS (SELECT 1 FROM instances i WHERE i.app_id = a.id)`,
  );
}
