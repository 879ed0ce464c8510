/**
 * Clock for the retention time of the trash, with the values of its last reading. `at` is the time of the server's
 * clock. `running` is the run time of the daemon process with the id `process`. If the differences of both do not
 * match, the clock was set or the daemon did not run for some time.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
