/** What a promotion took over, as it was named then: the app may be gone by now. */
export const operations = `
ALTER TABLE deployments ADD COLUMN promoted_app TEXT;
ALTER TABLE deployments ADD COLUMN promoted_project INTEGER;
ALTER TABLE deployments ADD COLUMN promoted_deployment INTEGER;
`;
