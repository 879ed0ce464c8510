/**
 * Adds columns to `deployments` for promotions. A promotion deploys the image of another app. The columns identify the
 * app, project and deployment from which the image was promoted. The app's name is stored too, because the app may be
 * deleted later.
 */
export const operations = `
ALTER TABLE deployments ADD COLUMN promoted_app TEXT;
ALTER TABLE deployments ADD COLUMN promoted_project INTEGER;
ALTER TABLE deployments ADD COLUMN promoted_deployment INTEGER;
`;
