/** Indexes for lists of the newest deployments with one status, for all apps and for one app. */
export const recent = `
CREATE INDEX deployments_status ON deployments (status, id);
CREATE INDEX deployments_app_status ON deployments (app_id, status, id);
`;
