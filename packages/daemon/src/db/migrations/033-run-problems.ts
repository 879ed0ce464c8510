/** Machine-readable code of a run's `error`. */
export const runProblems = `
ALTER TABLE runs ADD COLUMN error_code TEXT;
`;
