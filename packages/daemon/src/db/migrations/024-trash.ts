/**
 * Creates `trash_clock`: clock time and uptime of the daemon at the same moment. If the two advance differently, the
 * clock was changed or the daemon stopped.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
