/**
 * Adds data about the certificate that the instance's CA issued for a database, and about the certificate that the
 * running server uses. Davit issues certificates for existing databases, because they have none.
 */
export const issuedCertificates = `
ALTER TABLE databases ADD COLUMN certificate TEXT;
ALTER TABLE databases ADD COLUMN served_certificate TEXT;
`;
