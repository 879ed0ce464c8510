/**
 * Adds the facts about the certificate that the instance's CA issued to a database, and the certificate that the
 * running server uses. Existing databases have no certificate of the CA, so Davit issues one.
 */
export const issuedCertificates = `
ALTER TABLE databases ADD COLUMN certificate TEXT;
ALTER TABLE databases ADD COLUMN served_certificate TEXT;
`;
