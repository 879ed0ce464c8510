/**
 * Requests to apps. A row of `traffic` is one step of one window with all apps that had requests, as in `metrics`. A row of
 * `traffic_counts` has the counters of one proxy process at the last written step, so that later requests are counted.
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
