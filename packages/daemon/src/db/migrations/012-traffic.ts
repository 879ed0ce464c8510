/**
 * Creates the tables of request counts. A row of `traffic` contains the request counts of all apps in one time step. A
 * row of `traffic_counts` contains the last known request counters of one HAProxy process. The daemon needs them after
 * a restart, to count only newer requests.
 */
export const traffic = `
CREATE TABLE traffic (
  step_s INTEGER NOT NULL,
  at INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX traffic_step ON traffic (step_s, at);

-- process: when it began, milliseconds since the epoch. data: five numbers a backend (f64).
CREATE TABLE traffic_counts (
  process INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
`;
