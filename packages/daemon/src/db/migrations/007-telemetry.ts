/**
 * Creates the table of metrics. One row contains the measurements of all apps in one time interval. One row for each
 * app would cause thousands of scattered writes.
 */
export const telemetry = `
-- subject: app or machine. step_s: the window's. at: the step's end. data: ids (u32), then each one's figures (f32).
CREATE TABLE metrics (
  subject TEXT NOT NULL,
  step_s INTEGER NOT NULL,
  at INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX metrics_step ON metrics (subject, step_s, at);
`;
