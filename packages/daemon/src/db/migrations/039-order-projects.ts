/**
 * Adds `project` to `certificate_orders`: the slug of the project to which the host belongs. The value is NULL for
 * existing orders and for hosts of the Davit instance itself.
 */
export const orderProjects = `
ALTER TABLE certificate_orders ADD COLUMN project TEXT;
`;
