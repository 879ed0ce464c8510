/**
 * Creates the table `trash_clock`, which measures how long resources have been in the trash. The table stores two times
 * of its last update. `at` is the time of the server's clock. `running` is how long the daemon process with the id
 * `process` had been running. If the two times advance by different amounts, the clock was changed or the daemon did
 * not run for some time.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
