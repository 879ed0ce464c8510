/**
 * Creates indexes on `deployments`. The indexes are for queries that return the newest deployments with one status, for
 * all apps or for one app.
 */
export const recent = `
CREATE INDEX deployments_status ON deployments (status, id);
CREATE INDEX deployments_app_status ON deployments (app_id, status, id);
`;
