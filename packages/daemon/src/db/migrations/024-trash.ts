/**
 * Creates the table `trash_clock`, which measures how long resources have been in the trash. At each update, it stores
 * the time of the server's clock (`at`), and the uptime (`running`) of the daemon process with the id `process`. If
 * both times advance by different amounts, the clock was changed or the daemon was stopped for some time.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
