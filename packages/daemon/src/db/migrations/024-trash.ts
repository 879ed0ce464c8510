/**
 * Creates the table `trash_clock`, which is used to measure how long resources have been in the trash. The table
 * contains the clock time (`at`) and the uptime of the daemon process (`running`) at the same moment. If the two times
 * advance differently, someone changed the clock or the daemon was stopped.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
