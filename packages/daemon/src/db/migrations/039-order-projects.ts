/**
 * Adds the column `project` to `certificate_orders`. It is the slug of the project to which the certificate's host
 * belongs. It is NULL for a host of the Davit instance itself, and for orders that are older than this column.
 */
export const orderProjects = `
ALTER TABLE certificate_orders ADD COLUMN project TEXT;
`;
