/**
 * Adds the column `error_code` to `runs`. The column contains the machine-readable code of the error in the column
 * `error`.
 */
export const runProblems = `
ALTER TABLE runs ADD COLUMN error_code TEXT;
`;
