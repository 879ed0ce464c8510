/**
 * App, project and deployment from which the image of a deployment was promoted. The name of the app is stored,
 * because the app may be deleted later.
 */
export const operations = `
ALTER TABLE deployments ADD COLUMN promoted_app TEXT;
ALTER TABLE deployments ADD COLUMN promoted_project INTEGER;
ALTER TABLE deployments ADD COLUMN promoted_deployment INTEGER;
`;
