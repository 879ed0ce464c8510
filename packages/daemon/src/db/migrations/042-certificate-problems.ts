/** The code of why a certificate could not be ordered, next to the sentence. */
export const certificateProblems = `
ALTER TABLE certificate_names ADD COLUMN problem_code TEXT;
ALTER TABLE acme_accounts ADD COLUMN problem_code TEXT;
`;
