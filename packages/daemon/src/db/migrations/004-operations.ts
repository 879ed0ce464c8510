/**
 * Adds columns for the source of a promoted image to `deployments`: its app, project and deployment. The name of the
 * source app is stored, because the app may be deleted later.
 */
export const operations = `
ALTER TABLE deployments ADD COLUMN promoted_app TEXT;
ALTER TABLE deployments ADD COLUMN promoted_project INTEGER;
ALTER TABLE deployments ADD COLUMN promoted_deployment INTEGER;
`;
