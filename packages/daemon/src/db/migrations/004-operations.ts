/**
 * Adds columns to `deployments` for the app, project and deployment from which an image was promoted. The name of that
 * app is stored too, because the app may be deleted later.
 */
export const operations = `
ALTER TABLE deployments ADD COLUMN promoted_app TEXT;
ALTER TABLE deployments ADD COLUMN promoted_project INTEGER;
ALTER TABLE deployments ADD COLUMN promoted_deployment INTEGER;
`;
