/**
 * Creates the table `trash_clock`, with which Davit measures how long resources have been in the trash. Davit regularly
 * stores the time of the server's clock (`at`) and the uptime of the daemon process (`running`). If one of them
 * advances more than the other, someone changed the clock or the daemon was stopped.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
