/** Constants for an instance's CA certificate file. This module has no imports, so that API clients stay small. */

/** Name of the CA certificate file in the connection strings of databases. */
export const CA_FILE = 'davit-ca.pem';

/** Media type of certificates in PEM format (RFC 8555). */
export const PEM_TYPE = 'application/pem-certificate-chain';
