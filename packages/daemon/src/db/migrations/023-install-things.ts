/**
 * Adds the column `thing_id` to `template_resources`. It is the id of the app, database or other resource that a
 * template installation created or uses. The name of the resource is not enough to identify it: a user may have created
 * another resource with the same name, which the installation must not change or delete.
 */
export const installThings = `
ALTER TABLE template_resources ADD COLUMN thing_id INTEGER;
`;
