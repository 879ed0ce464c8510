/**
 * Adds the project and the app name to events, because apps may be deleted later. Creates the table `answers`. It
 * contains stored responses to requests with an `Idempotency-Key`.
 */
export const live = `
ALTER TABLE events ADD COLUMN project_id INTEGER;
ALTER TABLE events ADD COLUMN app TEXT;
UPDATE events SET
  project_id = (SELECT e.project_id FROM apps a JOIN environments e ON e.id = a.environment_id WHERE a.id = events.app_id),
  app = (SELECT p.slug || '/' || e.slug || '/' || a.name FROM apps a JOIN environments e ON e.id = a.environment_id
           JOIN projects p ON p.id = e.project_id WHERE a.id = events.app_id)
  WHERE app_id IS NOT NULL;
CREATE INDEX events_deployment ON events (deployment_id, seq) WHERE deployment_id IS NOT NULL;

CREATE TABLE answers (
  caller TEXT NOT NULL,
  route TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  answer TEXT,
  PRIMARY KEY (caller, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_at ON answers (at);
`;
