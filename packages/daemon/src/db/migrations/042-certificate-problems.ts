/** Adds the column `problem_code`: the machine-readable code of the reason why a certificate could not be ordered. */
export const certificateProblems = `
ALTER TABLE certificate_names ADD COLUMN problem_code TEXT;
ALTER TABLE acme_accounts ADD COLUMN problem_code TEXT;
`;
