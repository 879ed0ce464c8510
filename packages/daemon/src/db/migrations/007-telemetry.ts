/**
 * Metrics. A row is one step of one window with the figures of everything that was measured in it, so that a minute of
 * two hundred apps is a few rows at the table's end and not a thousand all over it.
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
