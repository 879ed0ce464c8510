/**
 * Adds the column `project` to `certificate_orders`: the slug of the project whose host the certificate was for. It is
 * NULL for a host of the Davit instance itself, and for orders that are older than this column.
 */
export const orderProjects = `
ALTER TABLE certificate_orders ADD COLUMN project TEXT;
`;
