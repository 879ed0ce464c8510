/** The newest deployments of one status, of all apps and of one. */
export const recent = `
CREATE INDEX deployments_status ON deployments (status, id);
CREATE INDEX deployments_app_status ON deployments (app_id, status, id);
`;
