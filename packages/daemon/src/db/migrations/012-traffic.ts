/**
 * Request counts of apps. A row of `traffic` contains the counts of all apps in one time step. A row of
 * `traffic_counts` contains the last known counters of one HAProxy process. After a restart of the daemon, only
 * requests beyond these counters are counted.
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
