/**
 * Creates `trash_clock` with the clock time and the uptime of the daemon at the same moment. If one of them advances
 * more than the other, the clock was changed or the daemon stopped.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
