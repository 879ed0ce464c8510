/** Certificates and their orders. */
export const certificates = '';
