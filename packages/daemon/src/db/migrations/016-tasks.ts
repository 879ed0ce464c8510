/**
 * Creates the tables of background tasks and their steps. The row of a task stays after its resource or project is
 * deleted.
 */
export const tasks = `
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  project_id INTEGER,
  status TEXT NOT NULL DEFAULT 'pending',
  input TEXT,
  state TEXT,
  progress TEXT,
  log TEXT,
  error TEXT,
  cancel_asked INTEGER NOT NULL DEFAULT 0,
  asked_by TEXT NOT NULL,
  asked_via TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX tasks_open ON tasks (subject_kind, subject) WHERE status IN ('pending', 'running');
CREATE INDEX tasks_subject ON tasks (subject, id);

CREATE TABLE task_steps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  error TEXT,
  UNIQUE (task_id, name)
) STRICT;
`;
