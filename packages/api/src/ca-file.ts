/** Constants for the CA certificate file of an instance. This module has no imports, so that API clients stay small. */

/** File name of the CA certificate in the connection strings of databases. */
export const CA_FILE = 'davit-ca.pem';

/** Media type of certificates in PEM format (RFC 8555). */
export const PEM_TYPE = 'application/pem-certificate-chain';
