import type { CommittedEvent, NewEvent } from '../event-data.ts';
import { columnsOf, orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../transaction.ts';
import { insert } from '../write.ts';
import { APP_REFERENCE } from './app-reference.ts';

const EVENT = selectFrom('events', 'seq, at, kind, project_id, app_id, app, deployment_id, data');

type EventRow = Row<typeof EVENT>;

const SEQ = selectFrom('events', 'seq');
const LAST = select({ seq: sql.integer('seq') });
const OLDEST = select({ seq: orNull(sql.integer('min(seq)')) });
const APP_OF_DEPLOYMENT = selectFrom('deployments', 'app_id');
const APP = select({ project_id: columnsOf('environments', 'e').project_id, reference: APP_REFERENCE });
const APP_BY_ID = APP.from(
  'apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id WHERE a.id = ?',
);

/**
 * Inserts an event. The row also stores the project id and the name of the app, because the app may be deleted later.
 */
export function insertEvent(tx: Omit<Tx, 'event'>, event: NewEvent, at: number): CommittedEvent {
  const { kind, deploymentId, data } = event;
  const appId = event.appId ?? (deploymentId === undefined ? null : appOfDeployment(tx, deploymentId));
  const appRow = appId === null ? undefined : appRowById(tx, appId);
  const projectId = event.projectId ?? appRow?.project_id ?? null;
  const app = appRow?.reference ?? null;
  const seq = insert(tx, 'events', {
    at,
    kind,
    project_id: projectId,
    app_id: appId,
    app,
    deployment_id: deploymentId ?? null,
    data: JSON.stringify(data),
  });
  return { ...event, seq, at, projectId, appId, app, deploymentId: deploymentId ?? null };
}

function appOfDeployment(db: Reader, id: number): number | null {
  return db.get(APP_OF_DEPLOYMENT.from('deployments WHERE id = ?'), id)?.app_id ?? null;
}

function appRowById(db: Reader, id: number): Row<typeof APP> | undefined {
  return db.get(APP_BY_ID, id);
}

/** Returns events with a sequence number greater than `after`, oldest first. */
export function eventsAfter(db: Reader, after: number, limit: number): CommittedEvent[] {
  return db.all(EVENT.from('events WHERE seq > ? ORDER BY seq LIMIT ?'), after, limit).map(event);
}

/** Returns the events of one deployment with a sequence number greater than `after`, oldest first. */
export function eventsOfDeployment(db: Reader, deploymentId: number, after: number): CommittedEvent[] {
  return db
    .all(
      EVENT.from(`events WHERE deployment_id = ? AND kind = 'deployment' AND seq > ? ORDER BY seq`),
      deploymentId,
      after,
    )
    .map(event);
}

/**
 * Returns the sequence numbers of the oldest stored event and of the newest event. If no event is stored, `oldest` is
 * `newest + 1`.
 */
export function eventBounds(db: Reader): { oldest: number; newest: number } {
  const newest = db.get(LAST.from("sqlite_sequence WHERE name = 'events'"))?.seq ?? 0;
  const oldest = db.get(OLDEST.from('events'))?.seq ?? newest + 1;
  return { oldest, newest };
}

/**
 * Returns the sequence number of the newest stored event before a time, or 0 if there is none.
 * @param at milliseconds since the epoch
 */
export function eventBefore(db: Reader, at: number): number {
  return db.get(SEQ.from('events WHERE at < ? ORDER BY seq DESC LIMIT 1'), at)?.seq ?? 0;
}

/** Deletes all events except for the newest `kept` events. */
export function pruneEvents(tx: Omit<Tx, 'event'>, kept: number): void {
  tx.run("DELETE FROM events WHERE seq <= (SELECT seq FROM sqlite_sequence WHERE name = 'events') - ?", kept);
}

function event(row: EventRow): CommittedEvent {
  // The JSON needs no validation, because only the daemon writes the column `data`.
  const data = JSON.parse(row.data);
  // App events of earlier Davit versions have no field `change`, so the field is added here.
  if (row.kind === 'app') data.change ??= data.live === undefined ? 'changed' : 'live';
  return {
    seq: row.seq,
    at: row.at,
    kind: row.kind,
    projectId: row.project_id,
    appId: row.app_id,
    app: row.app,
    deploymentId: row.deployment_id,
    data,
  };
}
