/** Adds the column `error_code` to `runs`: the machine-readable code of `error`. */
export const runProblems = `
ALTER TABLE runs ADD COLUMN error_code TEXT;
`;
