/** project: the slug of the project that an order was for; NULL: it was for the instance itself, or is older than this column. */
export const orderProjects = `
ALTER TABLE certificate_orders ADD COLUMN project TEXT;
`;
