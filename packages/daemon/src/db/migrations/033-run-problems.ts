/** The code of why a command could not be run, next to the sentence. */
export const runProblems = `
ALTER TABLE runs ADD COLUMN error_code TEXT;
`;
