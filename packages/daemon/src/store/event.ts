import type { CommittedEvent, NewEvent, Reader, Tx } from './store.ts';

interface EventRow {
  seq: number;
  at: number;
  kind: NewEvent['kind'];
  project_id: number | null;
  app_id: number | null;
  app: string | null;
  deployment_id: number | null;
  data: string;
}

const COLUMNS = 'seq, at, kind, project_id, app_id, app, deployment_id, data';

/** Writes an event down with the project and the name of its app, which it keeps when the app is gone. */
export function insertEvent(tx: Omit<Tx, 'event'>, event: NewEvent, at: number): CommittedEvent {
  const { kind, deploymentId, data = {} } = event;
  const appId = event.appId ?? (deploymentId === undefined ? null : appOfDeployment(tx, deploymentId));
  const place = appId === null ? undefined : placeOfApp(tx, appId);
  const projectId = event.projectId ?? place?.project_id ?? null;
  const app = place?.reference ?? null;
  const { id: seq } = tx.run(
    'INSERT INTO events (at, kind, project_id, app_id, app, deployment_id, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
    at,
    kind,
    projectId,
    appId,
    app,
    deploymentId ?? null,
    JSON.stringify(data),
  );
  return { seq, at, kind, projectId, appId, app, deploymentId: deploymentId ?? null, data };
}

function appOfDeployment(db: Reader, id: number): number | null {
  return db.get<{ app_id: number }>('SELECT app_id FROM deployments WHERE id = ?', id)?.app_id ?? null;
}

function placeOfApp(db: Reader, id: number): { project_id: number; reference: string } | undefined {
  return db.get(
    `SELECT e.project_id, p.slug || '/' || e.slug || '/' || a.name AS reference
     FROM apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id WHERE a.id = ?`,
    id,
  );
}

/** The oldest events after a number, in order. */
export function eventsAfter(db: Reader, after: number, limit: number): CommittedEvent[] {
  return db.all<EventRow>(`SELECT ${COLUMNS} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit).map(event);
}

/** What happened to one deployment itself after a number, in order. */
export function eventsOfDeployment(db: Reader, deploymentId: number, after: number): CommittedEvent[] {
  return db
    .all<EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE deployment_id = ? AND kind = 'deployment' AND seq > ? ORDER BY seq`,
      deploymentId,
      after,
    )
    .map(event);
}

/** The number of the newest event there ever was (0: none), and of the oldest that is kept (one more for none). */
export function eventBounds(db: Reader): { oldest: number; newest: number } {
  const newest = db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'")?.seq ?? 0;
  const oldest = db.get<{ seq: number | null }>('SELECT min(seq) AS seq FROM events')?.seq ?? newest + 1;
  return { oldest, newest };
}

/** The number of the newest event before a moment; 0: it was not kept, or there was none. */
export function eventBefore(db: Reader, at: number): number {
  return db.get<{ seq: number }>('SELECT seq FROM events WHERE at < ? ORDER BY seq DESC LIMIT 1', at)?.seq ?? 0;
}

/** Forgets all but the newest so many. */
export function pruneEvents(tx: Omit<Tx, 'event'>, kept: number): void {
  tx.run("DELETE FROM events WHERE seq <= (SELECT seq FROM sqlite_sequence WHERE name = 'events') - ?", kept);
}

function event(row: EventRow): CommittedEvent {
  return {
    seq: row.seq,
    at: row.at,
    kind: row.kind,
    projectId: row.project_id,
    appId: row.app_id,
    app: row.app,
    deploymentId: row.deployment_id,
    // Written by this program, and by nobody else.
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}
