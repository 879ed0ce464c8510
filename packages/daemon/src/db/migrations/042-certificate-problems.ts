/** Adds the column `problem_code`. It is the machine-readable reason why a certificate could not be ordered. */
export const certificateProblems = `
ALTER TABLE certificate_names ADD COLUMN problem_code TEXT;
ALTER TABLE acme_accounts ADD COLUMN problem_code TEXT;
`;
