/**
 * Creates the tables of cron schedules and runs. A run is one execution of a command. The row of a run stays after the
 * schedule or deployment is deleted.
 */
export const runs = `
CREATE TABLE schedules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  name TEXT,
  cron TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  command TEXT NOT NULL,
  timeout_s INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  next_run_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX schedules_app ON schedules (app_id);
CREATE INDEX schedules_due ON schedules (next_run_at) WHERE next_run_at IS NOT NULL;

-- command: JSON. output: sealed, since whatever a command prints may be a secret.
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  schedule_id INTEGER REFERENCES schedules (id) ON DELETE SET NULL,
  deployment_id INTEGER,
  command TEXT NOT NULL,
  timeout_s INTEGER NOT NULL,
  status TEXT NOT NULL,
  exit_code INTEGER,
  output TEXT,
  error TEXT,
  asked_by TEXT NOT NULL,
  asked_via TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX runs_app ON runs (app_id, id);
CREATE INDEX runs_schedule ON runs (schedule_id, id) WHERE schedule_id IS NOT NULL;
CREATE INDEX runs_running ON runs (app_id) WHERE status = 'running';
`;
