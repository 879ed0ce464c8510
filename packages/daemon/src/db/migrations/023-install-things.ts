/**
 * Id of the app, database or other resource that a template installation created or uses. The name is not sufficient:
 * a user may have created a new resource with the same name, which the installation must not change or remove.
 */
export const installThings = `
ALTER TABLE template_resources ADD COLUMN thing_id INTEGER;
`;
