/** Adds the column `problem_code`. The column contains the machine-readable reason for a failed certificate order. */
export const certificateProblems = `
ALTER TABLE certificate_names ADD COLUMN problem_code TEXT;
ALTER TABLE acme_accounts ADD COLUMN problem_code TEXT;
`;
