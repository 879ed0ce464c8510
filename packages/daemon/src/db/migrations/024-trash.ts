/**
 * Creates `trash_clock` with the clock time and the uptime of the daemon at the same moment. If only one of these times
 * advances, the clock was changed or the daemon was stopped.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
