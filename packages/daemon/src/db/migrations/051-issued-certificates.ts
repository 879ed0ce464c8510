/**
 * Adds two columns to `databases`. `certificate` describes the certificate that the instance's CA issued.
 * `served_certificate` is the fingerprint of the certificate that the running server uses. Existing databases have no
 * certificate from the CA, so Davit issues one.
 */
export const issuedCertificates = `
ALTER TABLE databases ADD COLUMN certificate TEXT;
ALTER TABLE databases ADD COLUMN served_certificate TEXT;
`;
