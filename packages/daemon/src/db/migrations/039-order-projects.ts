/**
 * Adds `project` to `certificate_orders`: the slug of the host's project. NULL for hosts of the Davit instance itself
 * and for existing orders.
 */
export const orderProjects = `
ALTER TABLE certificate_orders ADD COLUMN project TEXT;
`;
