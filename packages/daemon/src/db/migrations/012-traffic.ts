/**
 * Creates the tables of request counts. `traffic_counts` contains the last counters of HAProxy. After a restart, the
 * daemon needs these counters to count only newer requests.
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
