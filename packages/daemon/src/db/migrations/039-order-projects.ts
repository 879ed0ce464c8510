/**
 * Slug of the project that a certificate order was for. NULL if the order was for the instance itself, or is older
 * than this column.
 */
export const orderProjects = `
ALTER TABLE certificate_orders ADD COLUMN project TEXT;
`;
