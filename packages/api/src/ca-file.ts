/** File with the CA certificate of an instance. These values have no imports, so that API clients stay small. */

/** Name of the file in the connection lines of databases. */
export const CA_FILE = 'davit-ca.pem';

/** Media type of certificates in PEM format (RFC 8555). */
export const PEM_TYPE = 'application/pem-certificate-chain';
