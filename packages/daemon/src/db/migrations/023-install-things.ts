/**
 * Adds the id of each resource of a template installation. The name is not enough, because a user may have created
 * another resource with the same name.
 */
export const installThings = `
ALTER TABLE template_resources ADD COLUMN thing_id INTEGER;
`;
