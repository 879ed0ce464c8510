import type { TableRow } from '../schema/index.ts';
import { columnsOf, type Row, required, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';
import { UNFINISHED } from './deployment.ts';

export type MetricSubject = TableRow<'metrics'>['subject'];

const METRIC = selectFrom('metrics', 'at, data');

/** What was measured in one step. */
export type MetricRow = Row<typeof METRIC>;

/** The steps of one length, oldest first. */
export function metricRows(db: Reader, subject: MetricSubject, stepS: number): MetricRow[] {
  return db.all(METRIC.from('metrics WHERE subject = ? AND step_s = ? ORDER BY at'), subject, stepS);
}

/** Replaces what there is of the same step: a clock that was set back goes through it again. */
export function writeMetricRow(tx: Tx, subject: MetricSubject, stepS: number, { at, data }: MetricRow): void {
  insertOrReplace(tx, 'metrics', { subject, step_s: stepS, at, data });
}

/** Forgets the steps that end outside of a time, both ends kept. */
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

/** An instance that there is or may be a container of. */
export type MeasuredInstance = Row<typeof MEASURED_INSTANCE>;

/** Every instance that takes something of the machine, those that start or retire included. */
export function measuredInstances(db: Reader): MeasuredInstance[] {
  return db.all(
    MEASURED_INSTANCE.from("instances WHERE container_id IS NOT NULL AND role <> 'gone' AND observed <> 'down'"),
  );
}

/** The same of databases; their numbers are their own, and none of an app. */
export function measuredDatabases(db: Reader): MeasuredInstance[] {
  return db.all(
    MEASURED_DATABASE.from("databases WHERE container_id IS NOT NULL AND deleted_at IS NULL AND observed <> 'down'"),
  );
}

/** The deployments that have not ended. */
export function countOpenDeployments(db: Reader): Row<typeof STATUS_COUNT>[] {
  return db.all(STATUS_COUNT.from(`deployments WHERE ${UNFINISHED} GROUP BY status`));
}

/** Instances by what they are for and whether they run. */
export function instanceCounts(db: Reader): Row<typeof ROLE_COUNT>[] {
  return db.all(ROLE_COUNT.from("instances WHERE role <> 'gone' GROUP BY role, observed"));
}

/** The names that an app's metrics are labelled with. */
export function appLabels(db: Reader): Row<typeof LABELS>[] {
  return db.all(
    LABELS.from(`apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
      WHERE a.deleted_at IS NULL AND EXISTS (SELECT 1 FROM instances i WHERE i.app_id = a.id)`),
  );
}
