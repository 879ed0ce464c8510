/**
 * What time it was when the trash was last looked at: `at` by the clock of the machine, `running` by how long the process has
 * run that is called `process`. What the two disagree about is a clock that was set, or time in which nothing ran.
 */
export const trash = `
CREATE TABLE trash_clock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  running REAL NOT NULL,
  process TEXT NOT NULL
) STRICT;
`;
