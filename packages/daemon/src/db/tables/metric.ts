import type { TableRow } from '../schema/index.ts';
import { columnsOf, type Row, required, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';
import { UNFINISHED } from './deployment.ts';

export type MetricSubject = TableRow<'metrics'>['subject'];

const METRIC = selectFrom('metrics', 'at, data');

/** Encoded measurements of one time interval. */
export type MetricRow = Row<typeof METRIC>;

/**
 * Returns measurements, oldest first. Each measurement covers a time interval of the given length.
 * @param stepS length of the interval in seconds
 */
export function metricRows(db: Reader, subject: MetricSubject, stepS: number): MetricRow[] {
  return db.all(METRIC.from('metrics WHERE subject = ? AND step_s = ? ORDER BY at'), subject, stepS);
}

/**
 * Stores the measurements of a time interval. If the clock was set back, earlier measurements of the same interval are
 * replaced.
 * @param stepS length of the interval in seconds
 */
export function writeMetricRow(tx: Tx, subject: MetricSubject, stepS: number, { at, data }: MetricRow): void {
  insertOrReplace(tx, 'metrics', { subject, step_s: stepS, at, data });
}

/**
 * Deletes the measurements whose time interval ends before `oldest` or after `newest`. Both times are in milliseconds
 * since the epoch.
 */
export function trimMetricRows(tx: Tx, subject: MetricSubject, stepS: number, oldest: number, newest: number): void {
  tx.run('DELETE FROM metrics WHERE subject = ? AND step_s = ? AND at < ?', subject, stepS, oldest);
  tx.run('DELETE FROM metrics WHERE subject = ? AND step_s = ? AND at > ?', subject, stepS, newest);
}

const i = columnsOf('instances');
const MEASURED_INSTANCE = select({ app_id: i.app_id, container_id: required(i.container_id) });
const b = columnsOf('databases');
const MEASURED_DATABASE = select({ app_id: b.id, container_id: required(b.container_id) });
const COUNT = sql.integer('count(*)');
const STATUS_COUNT = select({ status: columnsOf('deployments').status, count: COUNT });
const ROLE_COUNT = select({ role: i.role, observed: i.observed, count: COUNT });
const LABELS = select({
  id: columnsOf('apps', 'a').id,
  project_id: columnsOf('projects', 'p').id,
  project: columnsOf('projects', 'p').slug,
  environment: columnsOf('environments', 'e').slug,
  app: columnsOf('apps', 'a').name,
});

/** Replica or database with a Docker container whose resource use is measured. */
export type MeasuredInstance = Row<typeof MEASURED_INSTANCE>;

/** Returns the starting, active and draining replicas with a Docker container that may be running. */
export function measuredInstances(db: Reader): MeasuredInstance[] {
  return db.all(
    MEASURED_INSTANCE.from("instances WHERE container_id IS NOT NULL AND role <> 'gone' AND observed <> 'down'"),
  );
}

/**
 * Returns the databases whose Docker container may be running. The column `app_id` of the result contains the id of the
 * database.
 */
export function measuredDatabases(db: Reader): MeasuredInstance[] {
  return db.all(
    MEASURED_DATABASE.from("databases WHERE container_id IS NOT NULL AND deleted_at IS NULL AND observed <> 'down'"),
  );
}

export function countOpenDeployments(db: Reader): Row<typeof STATUS_COUNT>[] {
  return db.all(STATUS_COUNT.from(`deployments WHERE ${UNFINISHED} GROUP BY status`));
}

/**
 * Returns the numbers of replicas on the instance. Each number is for one role (such as `starting` or `active`) and one
 * observed state.
 */
export function instanceCounts(db: Reader): Row<typeof ROLE_COUNT>[] {
  return db.all(ROLE_COUNT.from("instances WHERE role <> 'gone' GROUP BY role, observed"));
}

/** Returns the names of all apps that have replicas. The names become labels of the metrics. */
export function appLabels(db: Reader): Row<typeof LABELS>[] {
  return db.all(
    LABELS.from(`apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
      WHERE a.deleted_at IS NULL AND EXISTS (SELECT 1 FROM instances i WHERE i.app_id = a.id)`),
  );
}
